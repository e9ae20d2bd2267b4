-- The step of IdempotencyStore.claim.
local owner, algorithm, digest, payload = ARGV[1], ARGV[2], ARGV[3], ARGV[7]
local lease, ttl = tonumber(ARGV[4]), tonumber(ARGV[5])
local take_over = ARGV[6] == 'TAKE_OVER'
local waits = ARGV[8] == '1'
local redrive_of = tonumber(ARGV[9])

local now = now_micros()
local current, unreadable = read()
if unreadable then
    return { 'unreadable' }
end

local function claimed(record, previous)
    return { 'claimed', record.version, record.attempts, previous }
end

local function begin()
    local begun = {
        status = PENDING,
        version = next_version(current, now),
        owner = owner,
        algorithm = algorithm,
        digest = digest,
        attempts = 1,
        created = now,
        updated = now,
        expires = now + ttl,
        lease_end = now + lease,
        cooled_until = NEVER,
        cooldown = 0,
        failures = {},
    }
    write(begun, payload, now)
    return claimed(begun, 'NONE')
end

local function claim_again(previous)
    current.status = PENDING
    current.version = next_version(current, now)
    current.owner = owner
    current.algorithm = algorithm
    current.digest = digest
    current.attempts = current.attempts + 1
    current.updated = now
    current.expires = now + ttl
    current.lease_end = now + lease
    write(current, payload, now)
    return claimed(current, previous)
end

if not current or is_expired(current, now) then
    return begin()
end
if is_owned(current, now) and current.owner == owner then
    write_again(current, now)
    return claimed(current, 'NONE')
end
if current.algorithm == algorithm and current.digest ~= digest then
    return { 'key-reused', current.value }
end
if current.status == SUCCESS then
    return { 'completed', current.value, current.expires - now }
end
if current.status == PENDING then
    if is_owned(current, now) then
        if waits and not current.awaited then
            current.awaited = true
            write_again(current, now)
        end
        return { 'in-progress', current.value, current.lease_end - now }
    end
    if not take_over and current.version ~= redrive_of then
        return { 'outcome-unknown', current.value }
    end
    return claim_again('ORPHANED')
end
if now < current.cooled_until and redrive_of == 0 then
    return { 'cooling-down', current.value, current.cooled_until - now }
end
return claim_again('FAILED')
