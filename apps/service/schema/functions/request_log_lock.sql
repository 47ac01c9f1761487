-- Writing a session's requests and erasing the session exclude each other: writers share one of 64 locks, an erasure holds it alone.
create or replace function request_log_lock(session_hash bytea) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('request_log', get_byte(session_hash, 0) % 64) $$;
