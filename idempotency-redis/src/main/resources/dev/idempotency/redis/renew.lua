-- The step of IdempotencyStore.renew.
local owner, lease, ttl = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local now = now_micros()
local current = read()
if not current or is_expired(current, now) or not is_owned(current, now) or current.owner ~= owner then
    return { 'stale' }
end
current.lease_end = now + lease
current.expires = now + ttl
write_again(current, now)
return { 'renewed' }
