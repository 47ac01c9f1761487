-- What an anchor is trusted to do, and who operates it (ADR 43). A certificate may have several roles. Anchors of one entity vouch
-- for each other; a null entity stands alone. A process of the release before reads anchors and removes them as ever, but takes
-- every role for that of an issuer and cannot add any: roles are for when all processes run this release.
alter table trust_anchors
  add column role text not null default 'issuing'
    check (role in ('issuing', 'revocation', 'list_signing', 'registration')),
  add column entity text check (char_length(entity) <= 2500),
  drop constraint trust_anchors_environment_list_id_fingerprint_key,
  add unique nulls not distinct (environment, list_id, fingerprint, role);

alter table tenant_anchors
  add column role text not null default 'issuing'
    check (role in ('issuing', 'revocation', 'list_signing', 'registration')),
  add column entity text check (char_length(entity) <= 2500),
  drop constraint tenant_anchors_pkey,
  add primary key (tenant_id, environment, fingerprint, role);

-- What the metadata of a credential type says it extends (ADR 47). `key` is the SHA-256 of the URI and its integrity, so that a
-- row is true for ever: it is deleted only because nobody uses it. Null `extends`: the type extends none.
create table type_metadata (
  key               bytea primary key check (octet_length(key) = 32),
  extends           text check (char_length(extends) <= 2048),
  extends_integrity text check (char_length(extends_integrity) <= 512),
  used_at           timestamptz not null default service_now()
);
create index on type_metadata (used_at);
