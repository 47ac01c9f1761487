-- A trust list of TRUST_LISTS_FILE and its last good copy. `settings_hash` is of what the file said when the copy was taken.
create table trust_lists (
  id              bigint generated always as identity primary key,
  environment     text not null check (environment in ('test', 'live')),
  url             text not null,
  due_at          timestamptz not null default service_now(),
  fault           text,
  token           text,
  settings_hash   bytea,
  sequence_number bigint,
  issued_at       timestamptz,
  next_update     timestamptz,
  trusted_until   timestamptz,
  refreshed_at    timestamptz,
  unique (environment, url),
  check ((token is null) = (trusted_until is null))
);

-- Who is believed. Null `document_types`: for all of them. Null `list_id`: an operator added it.
create table trust_anchors (
  id             bigint generated always as identity primary key,
  environment    text not null check (environment in ('test', 'live')),
  fingerprint    bytea not null check (octet_length(fingerprint) = 32),
  certificate    bytea not null,
  document_types text[],
  list_id        bigint references trust_lists on delete cascade,
  added_at       timestamptz not null default service_now(),
  unique nulls not distinct (environment, list_id, fingerprint)
);

-- Turned with every change above, so that a process asks for one number and not for the anchors.
create table trust_version (
  one     boolean primary key default true check (one),
  version bigint not null
);
insert into trust_version (version) values (1);

-- The issuer that the test environment trusts, with its private keys, sealed.
create table sandbox_issuer (
  one    boolean primary key default true check (one),
  sealed bytea not null
);

-- Token status lists, shared by all processes. A copy serves until `lapses_at`; `refresh_at` is when the worker looks for the next.
create table status_lists (
  environment text not null check (environment in ('test', 'live')),
  uri         text not null check (char_length(uri) <= 2048),
  token       bytea not null,
  media       text not null check (media in ('jwt', 'cwt')),
  issued_at   timestamptz not null,
  fetched_at  timestamptz not null,
  refresh_at  timestamptz not null,
  lapses_at   timestamptz not null,
  used_at     timestamptz not null,
  primary key (environment, uri)
);
create index on status_lists (refresh_at);
create index on status_lists (used_at);
