-- The step of IdempotencyStore.find. A script, as only the server's clock says whether a record has expired.
local current, unreadable = read()
if unreadable then
    return { 'unreadable' }
end
if not current or is_expired(current, now_micros()) then
    return { 'absent' }
end
return { 'found', current.value }
