-- Signed lists of what was revoked, shared by all processes: status lists and identifier lists of documents, and certificate
-- revocation lists. They replace `status_lists`, which programs before this one still use; both only hold copies.

-- `issuer` is the SHA-256 of the certificate of the authority that a certificate revocation list was verified with, and empty
-- otherwise: two authorities that name the same place do not share a copy. A copy serves until `lapses_at`; `refresh_at` is when
-- the worker looks for the next.
create table revocation_lists (
  environment        text not null check (environment in ('test', 'live')),
  uri                text not null check (char_length(uri) <= 2048),
  issuer             bytea not null default '' check (length(issuer) in (0, 32)),
  issuer_certificate bytea check ((issuer_certificate is null) = (issuer = '')),
  token              bytea not null,
  media              text not null check (media in ('jwt', 'cwt', 'crl')),
  issued_at          timestamptz not null,
  fetched_at         timestamptz not null,
  refresh_at         timestamptz not null,
  lapses_at          timestamptz not null,
  used_at            timestamptz not null,
  primary key (environment, uri, issuer)
);
create index on revocation_lists (refresh_at);
create index on revocation_lists (used_at);

insert into revocation_lists (environment, uri, token, media, issued_at, fetched_at, refresh_at, lapses_at, used_at)
select environment, uri, token, media, issued_at, fetched_at, refresh_at, lapses_at, used_at from status_lists;
