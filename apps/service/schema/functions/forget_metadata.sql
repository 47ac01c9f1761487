-- An erasure takes the hashes of the metadata along, whatever else it takes.
create or replace function forget_metadata() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(metadata_lock(old.tenant_id));
  delete from verification_metadata m
  using jsonb_each_text(old.metadata) as given
  where m.day = old.day and m.tenant_id = old.tenant_id and m.hash = metadata_hash(old.environment, given.value)
    and m.created_at = old.created_at;
  return null;
end $$;

create or replace trigger forget_metadata after delete on verification_sessions
  for each row when (old.metadata is not null) execute function forget_metadata();
