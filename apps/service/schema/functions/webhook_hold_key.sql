-- Held shared by whoever sends something of a session, from its last look at the session until the last byte has left,
-- and exclusively by its erasure: nothing leaves after the erasure has answered.
create or replace function webhook_hold_key(session_id text) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('webhook ' || session_id, 0) $$;
