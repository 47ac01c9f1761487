-- Excludes that a verification is erased while it is indexed.
create or replace function metadata_lock(of_tenant uuid) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('metadata:' || of_tenant::text, 0) $$;
