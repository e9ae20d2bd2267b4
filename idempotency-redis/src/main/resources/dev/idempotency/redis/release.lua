-- The step of IdempotencyStore.release.
local version = tonumber(ARGV[1])

local current = read()
if not current or is_expired(current, now_micros()) then
    return { 'absent' }
end
if current.version ~= version or current.status == SUCCESS then
    return { 'refused' }
end
redis.call('DEL', KEYS[1])
wake_waiters(current)
return { 'released' }
