-- By what a value of the metadata is found, whatever the case of its ASCII letters. Different values may have the same: whoever finds one
-- compares the stored value.
create or replace function metadata_hash(in_environment text, value text) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended(lower(value collate "C"), case in_environment when 'live' then 1 else 0 end) $$;
