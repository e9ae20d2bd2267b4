-- In front of every step: how a record is laid out in its string (docs/adr/0005), read and written.
-- Times are microseconds since 1970. Lua's numbers are exact to 2^53, which microseconds reach in the year 2255.

local FORMAT = 2
local PENDING, SUCCESS, FAILED = 0, 1, 2
local NEVER = 0

-- format, status, version, owner, fingerprint algorithm, fingerprint digest, attempts, created, updated, expires, payload bytes
local HEADER, HEADER_BYTES = '>BBI8c16c4c32I4I8I8I8I4', 94
-- lease end, cooled until, length of that cool-down, whether somebody waits for the end, number of failure times
local OPEN_HEADER, OPEN_HEADER_BYTES = '>I8I8I8BB', 26
local TIME, TIME_BYTES = '>I8', 8

-- Redis removes a key by its own clock in milliseconds; until then the record itself says whether it has expired.
local MARGIN_MILLIS = 1000

local function now_micros()
    local time = redis.call('TIME')
    return time[1] * 1000000 + time[2]
end

-- A table, or nil if the string is no record of this format.
local function parse(value)
    if #value < HEADER_BYTES or value:byte(1) ~= FORMAT then
        return nil
    end
    local record = { value = value, cooled_until = NEVER, cooldown = 0, failures = {} }
    local format, payload_bytes, at
    format, record.status, record.version, record.owner, record.algorithm, record.digest, record.attempts,
        record.created, record.updated, record.expires, payload_bytes, at = struct.unpack(HEADER, value)
    if record.status ~= SUCCESS then
        if record.status > FAILED or #value < HEADER_BYTES + OPEN_HEADER_BYTES then
            return nil
        end
        local awaited, count
        record.lease_end, record.cooled_until, record.cooldown, awaited, count, at =
            struct.unpack(OPEN_HEADER, value, at)
        record.awaited = awaited == 1
        if #value < at - 1 + count * TIME_BYTES then
            return nil
        end
        for i = 1, count do
            record.failures[i], at = struct.unpack(TIME, value, at)
        end
    end
    if #value - (at - 1) ~= payload_bytes then
        return nil
    end
    record.payload_at = at
    return record
end

-- Returns the record, or nil; the second value tells that there is something that is not a record.
local function read()
    local value = redis.pcall('GET', KEYS[1])
    if value == false then
        return nil, false
    end
    if type(value) == 'table' then
        if value.err:find('^WRONGTYPE') then
            return nil, true
        end
        error(value.err, 0)
    end
    local record = parse(value)
    return record, record == nil
end

local function write(record, payload, now)
    local parts = { struct.pack(HEADER, FORMAT, record.status, record.version, record.owner, record.algorithm,
        record.digest, record.attempts, record.created, record.updated, record.expires, #payload) }
    if record.status ~= SUCCESS then
        parts[2] = struct.pack(OPEN_HEADER, record.lease_end, record.cooled_until, record.cooldown,
            record.awaited and 1 or 0, #record.failures)
        for _, time in ipairs(record.failures) do
            parts[#parts + 1] = struct.pack(TIME, time)
        end
    end
    parts[#parts + 1] = payload
    local millis = math.ceil((record.expires - now) / 1000) + MARGIN_MILLIS
    redis.call('SET', KEYS[1], table.concat(parts), 'PX', string.format('%.0f', millis))
end

-- Also where nothing has changed but somebody asks again: what WAIT confirms is then this very write.
local function write_again(record, now)
    write(record, record.value:sub(record.payload_at), now)
end

local function is_expired(record, now)
    return now >= record.expires
end

local function is_owned(record, now)
    return record.status == PENDING and now < record.lease_end
end

local function next_version(record, now)
    if record then
        return math.max(now, record.version + 1)
    end
    return now
end

-- Nobody depends on it: where publishing is not allowed, those who wait go on asking.
local function wake_waiters(record)
    if record.awaited then
        redis.pcall('PUBLISH', KEYS[1], '')
    end
end
