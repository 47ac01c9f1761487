-- An erasure takes the hashes of the metadata along, whatever else it takes.
-- One value at a time: a join may read all hashes of the tenant.
create or replace function forget_metadata() returns trigger language plpgsql as $$
declare
  given_hash bigint;
begin
  perform pg_advisory_xact_lock_shared(metadata_lock(old.tenant_id));
  for given_hash in select distinct metadata_hash(old.environment, given.value) from jsonb_each_text(old.metadata) as given loop
    delete from verification_metadata m
    where m.day = old.day and m.tenant_id = old.tenant_id and m.hash = given_hash and m.created_at = old.created_at;
  end loop;
  return null;
end $$;

create or replace trigger forget_metadata after delete on verification_sessions
  for each row when (old.metadata is not null) execute function forget_metadata();
