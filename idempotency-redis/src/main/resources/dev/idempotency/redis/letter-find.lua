-- The step of DeadLetterQueue.find.
local now = now_micros()
local letter = current(ARGV[2], now, tonumber(ARGV[1]))
if not letter then
    return { 'absent' }
end
local packed, state = shown(letter, now)
return { 'found', packed, state, redis.call('HGET', CONTENTS, letter.id) or '' }
