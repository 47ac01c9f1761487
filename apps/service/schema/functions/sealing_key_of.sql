-- The id of the key that sealed a value: its first four bytes.
create or replace function sealing_key_of(sealed bytea) returns bigint
  language sql immutable parallel safe
  as $$ select case when length(sealed) < 4 then null
    else get_byte(sealed, 0)::bigint * 16777216 + get_byte(sealed, 1) * 65536 + get_byte(sealed, 2) * 256 + get_byte(sealed, 3) end $$;
