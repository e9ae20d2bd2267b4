-- The step of RouteStates.replace.
local biz_type, seen, next, retention = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if (redis.call('HGET', KEYS[1], biz_type) or '') ~= seen then
    return { 'changed' }
end
if next == '' then
    redis.call('HDEL', KEYS[1], biz_type)
else
    redis.call('HSET', KEYS[1], biz_type, next)
end
redis.call('PEXPIRE', KEYS[1], retention)
return { 'replaced' }
