-- The step of DeadLetterQueue.counts.
local now, retention = now_micros(), tonumber(ARGV[1])
forget_expired(now, retention)
local redriving = redis.call('ZCARD', BY_STATE.REDRIVING)
local broken_off = redis.call('ZCOUNT', BY_STATE.REDRIVING, '-inf', integer(now))

local function count(state)
    return redis.call('ZCOUNT', BY_STATE[state], '(' .. integer(now - retention), '+inf')
end

return { count('OPEN') + broken_off, redriving - broken_off, count('REDRIVEN'), count('DISCARDED') }
