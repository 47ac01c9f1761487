-- Held shared by whoever sends something of a verification, from its last look at the verification until the last byte has left,
-- and exclusively by its erasure: nothing leaves after the erasure has answered.
create or replace function webhook_hold_key(verification_id text) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('webhook ' || verification_id, 0) $$;
