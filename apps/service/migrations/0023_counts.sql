-- What is counted against a plan's limits and told on the overview, so that neither reads every row a tenant ever made.
create index devices_pending on devices (tenant_id, pairing_expires_at) where status = 'pending';
create index devices_enrolled on devices (tenant_id, environment) where enrolled_at is not null;
create index devices_active on devices (tenant_id, environment) where status = 'active';
create index devices_reused on devices (tenant_id, environment, revoked_at desc) where revoked_by_reuse;
create index devices_created on devices (tenant_id, created_at);
create index devices_newest on devices (tenant_id, environment, created_at desc, id desc);
create index api_keys_newest on api_keys (tenant_id, environment, created_at desc);
create index api_keys_expiring on api_keys (tenant_id, environment, expires_at) where revoked_at is null and expires_at is not null;
