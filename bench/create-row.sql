-- What the bare engine does for one creation: the same rows by one function call, in a transaction of its own.
-- :tenant is a number; bench/create.ts has numbered the tenants.
create table bench_tenants (number integer primary key, tenant_id uuid not null);

create function create_one(tenant_number integer) returns void language plpgsql as $$
declare
  today  date := (clock_timestamp() at time zone 'UTC')::date;
  key    bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  seed   bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  id     text := 'vs_0AAA' || translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_');
  tenant uuid;
  at     timestamptz;
begin
  select tenant_id into tenant from bench_tenants where number = tenant_number;
  if not pg_try_advisory_xact_lock(hashtextextended(id, 0)) then raise exception 'in flight'; end if;
  perform from idempotency_keys k where k.key_hash = key and k.day >= today - 1 and k.day <= today;
  if found then raise exception 'replay'; end if;
  update tenant_usage u
  set used = u.used + 1, last_created_at = greatest(clock_timestamp(), u.last_created_at + interval '1 microsecond')
  where u.tenant_id = tenant and u.used < 1000000000
  returning u.last_created_at into at;
  insert into verification_sessions (
    day, id, tenant_id, environment, template, template_version, metadata, purpose, webhook_url, redirect_url, certificate,
    seed, idempotency_hash, created_at, expires_at)
  values (
    today, id, tenant, 'test', 'age_over_18', seed, '{"order":"A-123456"}', 'Age check at the till',
    'https://merchant.example/hooks', 'https://merchant.example/return', seed, seed, key, at, at + interval '300 seconds');
  insert into idempotency_keys (day, key_hash, body_hash, verification_id, created_at, expires_at)
  values (today, key, seed, id, at, at + interval '300 seconds');
  insert into audit_inbox (tenant_id, at, action, actor, subject, purpose)
  values (tenant, at, 'verification.created', 'key:bench', id, 'Age check at the till');
end $$;
