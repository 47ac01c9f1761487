-- Who asks besides the access certificate: an identity for the wallets of an ecosystem that trusts other authorities. Without a tenant
-- it is the operator's, for tenants that have none of their own. rp_metadata is what Google Wallet shows, as the certificate names it.
create table ecosystem_identities (
  tenant_id   uuid references tenants (id),
  ecosystem   text not null check (ecosystem in ('apple', 'google', 'iso')),
  environment text not null check (environment in ('test', 'live')),
  certificate bytea not null references access_certificates (hash),
  rp_metadata bytea,
  created_by  uuid,
  created_at  timestamptz not null default service_now(),
  unique nulls not distinct (tenant_id, ecosystem, environment)
);
