-- The steps of DeadLetterQueue.startRedrive, endRedrive and discard, which are those of LetterSteps.
local retention, id, wish = tonumber(ARGV[1]), ARGV[2], ARGV[3]

local now = now_micros()
local letter = current(id, now, retention)
if not letter then
    return { 'absent' }
end

local function answer(word)
    return { word, shown(letter, now) }
end

local function changed(state)
    letter.changed = now
    move(letter, state)
    write(letter)
    return answer('changed')
end

if wish == 'start' then
    local owner, lease, operator = ARGV[4], tonumber(ARGV[5]), ARGV[6]
    local state = state_of(letter, now)
    if state == 'REDRIVING' and letter.owner == owner then
        return answer('changed')
    end
    if state ~= 'OPEN' then
        return answer('refused')
    end
    letter.owner, letter.lease_end, letter.operator = owner, now + lease, operator
    letter.redrives = letter.redrives + 1
    return changed('REDRIVING')
end
if wish == 'end' then
    if letter.owner ~= ARGV[4] then
        return answer('refused')
    end
    letter.owner, letter.lease_end, letter.outcome, letter.status = '', 0, ARGV[5], tonumber(ARGV[6])
    return changed(ARGV[7])
end
if state_of(letter, now) ~= 'OPEN' then
    return answer('refused')
end
letter.owner, letter.lease_end, letter.operator, letter.note = '', 0, ARGV[4], ARGV[5]
return changed('DISCARDED')
