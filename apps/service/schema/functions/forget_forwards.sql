-- An erasure takes them along, whatever else it takes. It holds the verification's webhook lock, so nothing is being sent meanwhile.
create or replace function forget_forwards() returns trigger language plpgsql as $$
begin
  delete from webhook_forwards where verification_day = old.day and verification_id = old.id;
  return null;
end $$;

create or replace trigger forget_forwards after delete on verification_sessions
  for each row when (old.environment = 'test') execute function forget_forwards();
