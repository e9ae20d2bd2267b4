-- In front of every step on dead letters (docs/adr/0013). All keys of a namespace are in one slot.
-- Times are microseconds since 1970.

local LETTERS, CONTENTS, ORDER = KEYS[1], KEYS[2], KEYS[3]
-- Ids by position, but those being redriven by the end of their lease.
local BY_STATE = { OPEN = KEYS[4], REDRIVING = KEYS[5], REDRIVEN = KEYS[6], DISCARDED = KEYS[7] }

-- Field of the letters' hash that holds the bytes of all contents; no id has a space in it.
local TOTAL = 'total bytes'

-- position, content bytes, occurrences, first seen, last seen, changed, redrives, lease end, status of the outcome
local HEADER = '>I8I4I8I8I8I8I4I8I4'
local TEXT = '>I4'
local FORMAT = string.char(1)

local function now_micros()
    local time = redis.call('TIME')
    return time[1] * 1000000 + time[2]
end

local function integer(number)
    return string.format('%.0f', number)
end

-- Texts of a letter in the order in which they are kept.
local TEXTS = { 'id', 'reason', 'biz_type', 'hex', 'version', 'state', 'owner', 'operator', 'note', 'outcome' }

local function pack(letter)
    local parts = { FORMAT, struct.pack(HEADER, letter.position, letter.bytes, letter.occurrences, letter.first_seen,
        letter.last_seen, letter.changed, letter.redrives, letter.lease_end, letter.status) }
    for _, name in ipairs(TEXTS) do
        parts[#parts + 1] = struct.pack(TEXT, #letter[name])
        parts[#parts + 1] = letter[name]
    end
    return table.concat(parts)
end

local function unpack_letter(value)
    if value:sub(1, 1) ~= FORMAT then
        error('a dead letter of an unknown format', 0)
    end
    local letter, at = {}, 2
    letter.position, letter.bytes, letter.occurrences, letter.first_seen, letter.last_seen, letter.changed,
        letter.redrives, letter.lease_end, letter.status, at = struct.unpack(HEADER, value, at)
    for _, name in ipairs(TEXTS) do
        local length
        length, at = struct.unpack(TEXT, value, at)
        letter[name] = value:sub(at, at + length - 1)
        at = at + length
    end
    return letter
end

local function read(id)
    local value = id ~= TOTAL and redis.call('HGET', LETTERS, id)
    return value and unpack_letter(value) or nil
end

local function write(letter)
    redis.call('HSET', LETTERS, letter.id, pack(letter))
end

-- As it is to be seen now: a redrive whose lease is over leaves the letter open.
local function state_of(letter, now)
    if letter.state == 'REDRIVING' and now >= letter.lease_end then
        return 'OPEN'
    end
    return letter.state
end

local function move(letter, state)
    redis.call('ZREM', BY_STATE[letter.state], letter.id)
    letter.state = state
    redis.call('ZADD', BY_STATE[state], integer(state == 'REDRIVING' and letter.lease_end or letter.position),
        letter.id)
    redis.call('PEXPIRE', BY_STATE[state], redis.call('PTTL', ORDER))
end

-- Forgets a letter, of which some keys may have expired before others.
local function remove(id)
    local letter = read(id)
    if letter then
        redis.call('HINCRBY', LETTERS, TOTAL, integer(-letter.bytes))
    end
    redis.call('HDEL', LETTERS, id)
    redis.call('HDEL', CONTENTS, id)
    redis.call('ZREM', ORDER, id)
    for _, key in pairs(BY_STATE) do
        redis.call('ZREM', key, id)
    end
end

local FORGOTTEN_PER_STEP = 1000

-- Positions are times: what was parked up to this one has outlived its retention.
local function forget_expired(now, retention)
    local ids = redis.call('ZRANGEBYSCORE', ORDER, '-inf', integer(now - retention), 'LIMIT', 0, FORGOTTEN_PER_STEP)
    for _, id in ipairs(ids) do
        remove(id)
    end
end

-- The letter, unless it has outlived its retention.
local function current(id, now, retention)
    local letter = read(id)
    return letter and letter.position > now - retention and letter or nil
end

local function keep_for(retention)
    local millis = integer(math.ceil(retention / 1000) + 1000)
    for _, key in ipairs(KEYS) do
        redis.call('PEXPIRE', key, millis)
    end
end

local function shown(letter, now)
    return pack(letter), state_of(letter, now)
end
