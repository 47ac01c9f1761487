-- What a tenant tells wallets of itself beside its certificate (OpenID4VP 1.0 §5.11). Never changed, so that a session that
-- names one is answered as it was created.
create table verifier_infos (
  hash       bytea primary key,
  body       text not null,
  created_at timestamptz not null default service_now()
);

-- Who asks for a tenant's new sessions. Null: the service's own certificate, or nothing beside it.
create table tenant_identities (
  tenant_id     uuid primary key references tenants,
  certificate   bytea references access_certificates (hash),
  verifier_info bytea references verifier_infos (hash),
  updated_at    timestamptz not null default service_now()
);
