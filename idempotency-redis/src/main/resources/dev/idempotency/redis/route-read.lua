-- The step of RouteStates.read. A script, as only it sees states and the server's clock together.
return { 'states', now_micros(), unpack(redis.call('HGETALL', KEYS[1])) }
