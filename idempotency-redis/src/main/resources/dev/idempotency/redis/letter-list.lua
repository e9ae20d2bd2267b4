-- A part of DeadLetterQueue.list: looks at a bounded number of letters, and tells where to go on.
local retention, before, size, seen_at_most = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local state, reason, biz_type, from, to = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8]), tonumber(ARGV[9])

local now = now_micros()
forget_expired(now, retention)

local function accepts(letter)
    return (state == '' or state == state_of(letter, now))
        and (reason == '' or reason == letter.reason)
        and (biz_type == '' or biz_type == letter.biz_type)
        and letter.first_seen >= from
        and letter.first_seen < to
end

local start = before == '' and '+inf' or '(' .. before
local ids = redis.call('ZREVRANGEBYSCORE', ORDER, start, '(' .. integer(now - retention), 'LIMIT', 0, seen_at_most)
local found, last = {}, ''
for _, id in ipairs(ids) do
    local letter = read(id)
    if letter then
        if accepts(letter) then
            if #found == 2 * size then
                return { 'full', last, unpack(found) }
            end
            found[#found + 1], found[#found + 2] = shown(letter, now)
        end
        last = integer(letter.position)
    end
end
return { #ids == seen_at_most and 'more' or 'end', last, unpack(found) }
