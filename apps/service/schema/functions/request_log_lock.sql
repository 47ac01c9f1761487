-- Writing a verification's requests and erasing the verification exclude each other: writers share one of 64 locks, an erasure holds it alone.
create or replace function request_log_lock(verification_hash bytea) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('request_log', get_byte(verification_hash, 0) % 64) $$;
