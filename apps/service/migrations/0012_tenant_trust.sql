-- What a tenant has decided about whom it believes (TRUST-1). No row: whoever is believed in the environment. `all`: those and
-- its own anchors; `own`: its own alone. `version` is turned with every change, so that a process asks for one number.
create table tenant_trust (
  tenant_id uuid primary key references tenants,
  policy    text not null default 'all' check (policy in ('all', 'own')),
  version   bigint not null default 1
);

-- Anchors that count for one tenant. Null `document_types`: for all of them.
create table tenant_anchors (
  tenant_id      uuid not null references tenants,
  environment    text not null check (environment in ('test', 'live')),
  fingerprint    bytea not null check (octet_length(fingerprint) = 32),
  certificate    bytea not null,
  document_types text[],
  added_at       timestamptz not null default service_now(),
  primary key (tenant_id, environment, fingerprint)
);
