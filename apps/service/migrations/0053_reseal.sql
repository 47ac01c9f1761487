-- A sealing key under which nothing is sealed any more can be retired. Its row stays, without the key, so that its id is not used again.
alter table keyring add column retired_at timestamptz;

-- The id of the key that sealed a value: its first four bytes.
create function sealing_key_of(sealed bytea) returns bigint
  language sql immutable parallel safe
  as $$ select case when length(sealed) < 4 then null
    else get_byte(sealed, 0)::bigint * 16777216 + get_byte(sealed, 1) * 65536 + get_byte(sealed, 2) * 256 + get_byte(sealed, 3) end $$;

-- Tables that have a row for each tenant or more. Values under an old key are found without reading the others.
create index webhook_secrets_key on webhook_secrets (sealing_key_of(sealed));
create index webhook_endpoints_key on webhook_endpoints (sealing_key_of(sealed));
create index webhook_endpoints_previous_key on webhook_endpoints (sealing_key_of(previous_sealed)) where previous_sealed is not null;
create index alert_webhooks_key on alert_webhooks (sealing_key_of(sealed));
create index access_certificates_key on access_certificates (sealing_key_of(sealed_key)) where sealed_key is not null;

-- Every value that the key ring has sealed.
create view sealed_values as
  select 'webhook_secrets.sealed' as place, sealed from webhook_secrets
  union all select 'webhook_endpoints.sealed', sealed from webhook_endpoints
  union all select 'webhook_endpoints.previous_sealed', previous_sealed from webhook_endpoints where previous_sealed is not null
  union all select 'alert_webhooks.sealed', sealed from alert_webhooks
  union all select 'alert_webhooks.previous_sealed', previous_sealed from alert_webhooks where previous_sealed is not null
  union all select 'mail_queue.sealed', sealed from mail_queue where sealed is not null
  union all select 'access_certificates.sealed_key', sealed_key from access_certificates where sealed_key is not null
  union all select 'audit_log.sealed_key', sealed_key from audit_log
  union all select 'sandbox_issuer.sealed', sealed from sandbox_issuer;

-- Replaces a sealed value unless it has changed since it was read. False if it has.
create function replace_sealed(place text, old_value bytea, new_value bytea) returns boolean
  language plpgsql as $$
declare
  parts   text[] := string_to_array(place, '.');
  changed bigint;
begin
  if not exists (select from (values ('webhook_secrets.sealed'), ('webhook_endpoints.sealed'), ('webhook_endpoints.previous_sealed'),
    ('alert_webhooks.sealed'), ('alert_webhooks.previous_sealed'), ('mail_queue.sealed'), ('access_certificates.sealed_key'),
    ('audit_log.sealed_key'), ('sandbox_issuer.sealed')) as known (name) where name = place) then
    raise exception 'no sealed values are in %', place;
  end if;
  execute format('update %1$I set %2$I = $2 where %2$I = $1 and sealing_key_of(%2$I) = sealing_key_of($1)', parts[1], parts[2])
    using old_value, new_value;
  get diagnostics changed = row_count;
  return changed > 0;
end $$;

-- Refuses a value that a process with an old copy of the ring sealed under a retired key. The lock makes a retirement wait for the transaction, so
-- that it counts the value.
create function refuse_retired_key() returns trigger
  language plpgsql as $$
declare
  columns text[] := tg_argv;
  a_column text;
  key_id  bigint;
  retired timestamptz;
begin
  foreach a_column in array columns loop
    execute format('select sealing_key_of(($1).%I)', a_column) into key_id using new;
    continue when key_id is null;
    select k.retired_at into retired from keyring k where k.id = key_id for share;
    if retired is not null then
      raise exception 'sealing key % is retired', key_id using errcode = 'VK001';
    end if;
  end loop;
  return new;
end $$;

create trigger refuse_retired_key before insert or update of sealed on webhook_secrets
  for each row execute function refuse_retired_key('sealed');
create trigger refuse_retired_key before insert or update of sealed, previous_sealed on webhook_endpoints
  for each row execute function refuse_retired_key('sealed', 'previous_sealed');
create trigger refuse_retired_key before insert or update of sealed, previous_sealed on alert_webhooks
  for each row execute function refuse_retired_key('sealed', 'previous_sealed');
create trigger refuse_retired_key before insert or update of sealed on mail_queue
  for each row execute function refuse_retired_key('sealed');
create trigger refuse_retired_key before insert or update of sealed_key on access_certificates
  for each row execute function refuse_retired_key('sealed_key');
create trigger refuse_retired_key before insert or update of sealed_key on audit_log
  for each row execute function refuse_retired_key('sealed_key');
create trigger refuse_retired_key before insert or update of sealed on sandbox_issuer
  for each row execute function refuse_retired_key('sealed');
