-- Rows that requests read all the time and that rarely change: keys, tenants, identities, trust, templates, secrets, devices.
-- A process keeps copies of them, each with the version that it was read under. The version is replaced in the transaction of
-- every change, so a copy is current as long as the version is the same. It is random and not a counter: after a restore or a
-- failover, a counter could reach the same number again with other rows.
create table change_version (
  one     boolean primary key default true check (one),
  version uuid not null default gen_random_uuid()
) with (fillfactor = 50);
insert into change_version default values;

-- Once per transaction: a new version becomes visible together with all changes of its transaction.
create function replace_change_version() returns trigger language plpgsql as $$
declare
  current_transaction constant text := pg_current_xact_id()::text;
begin
  if current_setting('vidimus.change_version_replaced_by', true) is distinct from current_transaction then
    update change_version set version = gen_random_uuid();
    perform set_config('vidimus.change_version_replaced_by', current_transaction, true);
  end if;
  return null;
end $$;

-- The triggers are deferred, so that the version's row is the last that a transaction locks, whatever it locked before: waiting
-- for it never completes a cycle. Where no copy is kept of a missing row, an insert needs no new version. A change that no
-- copy contains, such as the last use of a key, needs none either; a test requires a decision for every column.

create constraint trigger replace_change_version after update on api_keys
  deferrable initially deferred for each row
  when ((old.tenant_id, old.id, old.environment, old.hash, old.scopes, old.expires_at, old.revoked_at)
    is distinct from (new.tenant_id, new.id, new.environment, new.hash, new.scopes, new.expires_at, new.revoked_at))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_delete after delete on api_keys
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on api_keys
  for each statement execute function replace_change_version();

create constraint trigger replace_change_version after update on tenants
  deferrable initially deferred for each row
  when ((old.id, old.name, old.plan, old.daily_quota, old.retention_days, old.forget_on_delivery, old.hold_back,
      old.status_unavailable, old.brand, old.page_origins, old.age_app)
    is distinct from (new.id, new.name, new.plan, new.daily_quota, new.retention_days, new.forget_on_delivery, new.hold_back,
      new.status_unavailable, new.brand, new.page_origins, new.age_app))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_delete after delete on tenants
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on tenants
  for each statement execute function replace_change_version();

-- Most tenants have no row in the next two tables, so copies of missing rows are kept.
create constraint trigger replace_change_version after update on tenant_identities
  deferrable initially deferred for each row
  when ((old.tenant_id, old.certificate, old.verifier_info) is distinct from (new.tenant_id, new.certificate, new.verifier_info))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_insert_or_delete after insert or delete on tenant_identities
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on tenant_identities
  for each statement execute function replace_change_version();

create constraint trigger replace_change_version after update on tenant_trust
  deferrable initially deferred for each row
  when ((old.tenant_id, old.policy, old.version) is distinct from (new.tenant_id, new.policy, new.version))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_insert_or_delete after insert or delete on tenant_trust
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on tenant_trust
  for each statement execute function replace_change_version();

create constraint trigger replace_change_version after update on templates
  deferrable initially deferred for each row
  when ((old.tenant_id, old.key, old.version) is distinct from (new.tenant_id, new.key, new.version))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_delete after delete on templates
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on templates
  for each statement execute function replace_change_version();

-- A new secret changes the list that deliveries of its tenant are signed with.
create constraint trigger replace_change_version after update on webhook_secrets
  deferrable initially deferred for each row
  when ((old.tenant_id, old.id, old.sealed, old.retires_at) is distinct from (new.tenant_id, new.id, new.sealed, new.retires_at))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_insert_or_delete after insert or delete on webhook_secrets
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on webhook_secrets
  for each statement execute function replace_change_version();

-- Only active devices are kept. Refreshing a token changes neither of these columns.
create constraint trigger replace_change_version after update on devices
  deferrable initially deferred for each row
  when (old.status = 'active' and (old.tenant_id, old.id, old.environment, old.name, old.status, old.allowed_templates)
    is distinct from (new.tenant_id, new.id, new.environment, new.name, new.status, new.allowed_templates))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_delete after delete on devices
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on devices
  for each statement execute function replace_change_version();
