-- Excludes that a verification is erased while it is counted.
create or replace function outcome_lock(of_tenant uuid) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('outcomes:' || of_tenant::text, 0) $$;
