-- The step of DeadLetterQueue.seenAgain.
local now = now_micros()
local letter = current(ARGV[2], now, tonumber(ARGV[1]))
if not letter then
    return { 'absent' }
end
letter.occurrences = letter.occurrences + 1
letter.last_seen = now
write(letter)
return { 'again' }
