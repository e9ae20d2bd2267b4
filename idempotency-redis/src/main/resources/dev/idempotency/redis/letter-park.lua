-- The step of DeadLetterQueue.park.
local retention, max_count, max_bytes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local id, content = ARGV[4], ARGV[9]

local now = now_micros()
forget_expired(now, retention)

local known = current(id, now, retention)
if known then
    known.occurrences = known.occurrences + 1
    known.last_seen = now
    write(known)
    return { 'again' }
end

local function is_full()
    local total = tonumber(redis.call('HGET', LETTERS, TOTAL) or 0)
    return redis.call('ZCARD', ORDER) >= max_count or total + #content > max_bytes
end

local function oldest(key, ...)
    return redis.call('ZRANGE', key, 0, 0, ...)
end

-- The oldest of those that are done with.
local function oldest_done()
    local redriven = oldest(BY_STATE.REDRIVEN, 'WITHSCORES')
    local discarded = oldest(BY_STATE.DISCARDED, 'WITHSCORES')
    if not redriven[1] or (discarded[1] and tonumber(discarded[2]) < tonumber(redriven[2])) then
        return discarded[1]
    end
    return redriven[1]
end

local function make_room()
    local dropped = {}
    while is_full() do
        local victim = oldest_done()
        if not victim then
            victim = oldest(BY_STATE.OPEN)[1] or oldest(BY_STATE.REDRIVING)[1]
            if not victim then
                break
            end
            if current(victim, now, retention) then
                dropped[#dropped + 1] = victim
            end
        end
        remove(victim)
    end
    return dropped
end

-- Greater than that of any letter there is, so that an order of pages exists even if the clock steps back.
local function next_position()
    local latest = redis.call('ZREVRANGE', ORDER, 0, 0, 'WITHSCORES')
    return latest[2] and math.max(now, tonumber(latest[2]) + 1) or now
end

local dropped = make_room()
local letter = {
    id = id,
    reason = ARGV[5],
    biz_type = ARGV[6],
    hex = ARGV[7],
    version = ARGV[8],
    position = next_position(),
    bytes = #content,
    occurrences = 1,
    first_seen = now,
    last_seen = now,
    state = 'OPEN',
    changed = now,
    redrives = 0,
    lease_end = 0,
    status = 0,
    owner = '',
    operator = '',
    note = '',
    outcome = '',
}
write(letter)
redis.call('HSET', CONTENTS, id, content)
redis.call('ZADD', ORDER, integer(letter.position), id)
redis.call('ZADD', BY_STATE.OPEN, integer(letter.position), id)
redis.call('HINCRBY', LETTERS, TOTAL, #content)
keep_for(retention)
return { 'new', dropped }
