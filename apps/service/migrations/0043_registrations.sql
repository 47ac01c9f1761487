-- The intended uses that a tenant is registered for (ETSI TS 119 475). A row never changes what it says of itself: another certificate
-- is another registration. Both forms in which requests can carry it are composed when it is stored, so that a session only
-- selects a hash.
create table registrations (
  tenant_id      uuid not null references tenants,
  id             uuid not null default gen_random_uuid(),
  name           text not null,
  is_default     boolean not null,
  -- The certificate, its hash and what it says. Null: imported from tenant_identities, and not checked.
  token          text,
  fingerprint    bytea,
  contents       jsonb,
  dataset        jsonb,
  info_base64url bytea not null references verifier_infos (hash),
  info_jwt       bytea not null references verifier_infos (hash),
  -- What the last check found.
  findings       jsonb not null default '[]',
  expires_at     timestamptz,
  created_at     timestamptz not null default service_now(),
  checked_at     timestamptz,
  check_due_at   timestamptz not null default service_now(),
  primary key (tenant_id, id),
  check ((token is null) = (contents is null) and (token is null) = (fingerprint is null))
);
create unique index registrations_one_default on registrations (tenant_id) where is_default;
create unique index registrations_fingerprint on registrations (tenant_id, fingerprint);
create index registrations_check_due on registrations (check_due_at);

-- The registration that a template names, built-in or the tenant's own. Templates without a row are asked under the default.
create table template_registrations (
  tenant_id       uuid not null,
  template        text not null,
  registration_id uuid not null,
  primary key (tenant_id, template),
  foreign key (tenant_id, registration_id) references registrations
);
create index template_registrations_registration on template_registrations (tenant_id, registration_id);

-- A tenant without a row has the defaults.
create table registration_settings (
  tenant_id uuid primary key references tenants,
  encoding  text not null default 'base64url' check (encoding in ('base64url', 'jwt')),
  policy    text not null default 'warn' check (policy in ('warn', 'refuse'))
);

-- What tenants have set so far was never read. Programs before this migration go on reading it from tenant_identities.
insert into registrations (tenant_id, name, is_default, info_base64url, info_jwt)
select tenant_id, 'Imported', true, verifier_info, verifier_info
from tenant_identities
where verifier_info is not null;

-- Most tenants have no row in these tables, so copies of missing rows are kept.
create constraint trigger replace_change_version after update on registrations
  deferrable initially deferred for each row
  when ((old.tenant_id, old.id, old.is_default, old.token, old.info_base64url, old.info_jwt)
    is distinct from (new.tenant_id, new.id, new.is_default, new.token, new.info_base64url, new.info_jwt))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_insert_or_delete after insert or delete on registrations
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on registrations
  for each statement execute function replace_change_version();

create constraint trigger replace_change_version after update on template_registrations
  deferrable initially deferred for each row
  when ((old.tenant_id, old.template, old.registration_id) is distinct from (new.tenant_id, new.template, new.registration_id))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_insert_or_delete after insert or delete on template_registrations
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on template_registrations
  for each statement execute function replace_change_version();

create constraint trigger replace_change_version after update on registration_settings
  deferrable initially deferred for each row
  when ((old.tenant_id, old.encoding, old.policy) is distinct from (new.tenant_id, new.encoding, new.policy))
  execute function replace_change_version();
create constraint trigger replace_change_version_on_insert_or_delete after insert or delete on registration_settings
  deferrable initially deferred for each row execute function replace_change_version();
create trigger replace_change_version_on_truncate after truncate on registration_settings
  for each statement execute function replace_change_version();
