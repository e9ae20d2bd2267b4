-- The step of IdempotencyStore.complete.
local owner, kind = ARGV[1], ARGV[2]

local now = now_micros()
local current = read()

local function cooldown()
    return math.max(0, current.cooled_until - now)
end

local function finish(status, expires, payload)
    current.status = status
    current.version = next_version(current, now)
    current.updated = now
    current.expires = expires
    wake_waiters(current)
    current.awaited = false
    write(current, payload, now)
    return { 'applied', current.version, cooldown() }
end

local function succeed(payload, ttl)
    current.failures, current.cooled_until, current.cooldown = {}, NEVER, 0
    return finish(SUCCESS, now + ttl, payload)
end

-- The step of Cooldown.after.
local function next_cooldown(first, multiplier, max)
    if current.cooldown == 0 or multiplier == 1 then
        return first
    end
    return math.max(first, math.min(max, math.floor(current.cooldown * multiplier)))
end

local function count_failure(threshold, window, first, multiplier, max)
    local is_trial = current.cooled_until ~= NEVER
    local recent = {}
    for _, time in ipairs(current.failures) do
        if time > now - window then
            recent[#recent + 1] = time
        end
    end
    recent[#recent + 1] = now
    while #recent > threshold do
        table.remove(recent, 1)
    end
    local opens = threshold > 0 and (is_trial or #recent >= threshold)
    current.failures = recent
    current.cooldown = opens and next_cooldown(first, multiplier, max) or 0
    current.cooled_until = opens and now + current.cooldown or NEVER
end

local function fail(payload, ttl, ...)
    count_failure(...)
    return finish(FAILED, math.max(now + ttl, current.cooled_until), payload)
end

if not current or is_expired(current, now) or current.owner ~= owner then
    return { 'stale' }
end
if current.status ~= PENDING then
    -- The owner asks again because it never saw the first reply.
    local ended_as = current.status == SUCCESS and 'success' or 'failure'
    if kind == ended_as then
        write_again(current, now)
        return { 'applied', current.version, cooldown() }
    end
    return { 'stale' }
end
if not is_owned(current, now) then
    return { 'stale' }
end
if kind == 'success' then
    return succeed(ARGV[3], tonumber(ARGV[4]))
end
if kind == 'failure' then
    return fail(ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]),
        tonumber(ARGV[8]), tonumber(ARGV[9]))
end
redis.call('DEL', KEYS[1])
wake_waiters(current)
return { 'applied', current.version, 0 }
