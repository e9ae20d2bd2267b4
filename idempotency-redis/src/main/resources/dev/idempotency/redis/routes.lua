-- In front of every step on states of routes: one hash for all bizTypes of a namespace.

local function now_micros()
    local time = redis.call('TIME')
    return string.format('%.0f', time[1] * 1000000 + time[2])
end
