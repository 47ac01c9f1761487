-- The schema of the first release. Functions, views and triggers are not here: each has a file of its own or follows from a declaration, and
-- is applied again whenever it changes. What is in force after all migrations stands in ../schema.sql.
-- requires: service_now, service_day, sealing_key_of

-- The ring of keys, each wrapped by the master key, which is never here.
create table keyring (
  id         integer primary key,
  purpose    text not null,
  wrapped    bytea not null,
  created_at timestamptz not null default service_now(),
  -- Hashing keys of the cells from which tenants moved here.
  cell       text check (cell ~ '^[0-9A-Za-z]$'),
  -- A sealing key under which nothing is sealed any more can be retired. Its row stays, without the key, so that its id is not used again.
  retired_at timestamptz,
  check ((purpose in ('mac', 'seal', 'carried_mac')) and (purpose = 'carried_mac') = (cell is not null))
);
create unique index keyring_cell on keyring (cell) where cell is not null;

-- Tables that are cut by UTC day, so that a day is dropped and not deleted row by row.
create table daily_tables (
  name       text primary key,
  days_ahead integer not null default 7 check (days_ahead between 1 and 400)
);

-- A merchant. `daily_quota` overrides the plan's.
create table tenants (
  id                 uuid default gen_random_uuid() primary key,
  name               text not null check (char_length(name) between 1 and 200),
  plan               text not null,
  daily_quota        integer check (daily_quota >= 0),
  created_at         timestamptz not null default service_now(),
  -- A tenant's policies. Claims are kept for so many days (RET-1), or only until the merchant has them (RET-3); the result of
  -- a verification with a redirect may wait for its code (RET-2); a status that cannot be had fails or warns (TRUST-4).
  retention_days     integer not null default 30 check (retention_days between 1 and 365),
  forget_on_delivery boolean not null default false,
  hold_back          boolean not null default false,
  status_unavailable text not null default 'fail' check (status_unavailable in ('fail', 'warning')),
  -- What a holder sees of who asks.
  brand              jsonb not null default '{}',
  -- Whose pages may request credentials through the Digital Credentials API (DC-8), and whether the EU age-verification app may
  -- respond without encryption (DC-12).
  page_origins       text[] not null default '{}' check (cardinality(page_origins) <= 10),
  age_app            boolean not null default false,
  -- In the cell to which a tenant moved: the cell whose key hashes its idempotency keys, which cannot be hashed again.
  hashing_cell       text check (hashing_cell ~ '^[0-9A-Za-z]$')
);

-- Only the hash of a key is kept, and what its list shows of it.
create table api_keys (
  tenant_id    uuid not null references tenants (id),
  id           uuid not null default gen_random_uuid(),
  environment  text not null check (environment in ('test', 'live')),
  name         text not null check (char_length(name) between 1 and 200),
  hash         bytea not null unique check (octet_length(hash) = 32),
  prefix       text not null check (char_length(prefix) = 12),
  scopes       text[] not null check (cardinality(scopes) > 0 and scopes <@ array['verifications:create', 'verifications:read', 'verifications:delete', 'devices:manage', 'webhooks:manage']),
  created_at   timestamptz not null default service_now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  -- Which member created what lets somebody in, so that removing the member withdraws it. Null for what an operator or an API
  -- key created.
  created_by   uuid,
  -- A key that was rolled names the key that replaces it. Both work until the old one expires.
  replaced_by  uuid,
  primary key (tenant_id, id)
);
create index api_keys_tenant_id_created_by_idx on api_keys (tenant_id, created_by) where created_by is not null;
create index api_keys_newest on api_keys (tenant_id, environment, created_at desc);
create index api_keys_expiring on api_keys (tenant_id, environment, expires_at) where revoked_at is null and expires_at is not null;

-- What deliveries are signed with, sealed by the key ring. A rotated secret keeps signing until `retires_at`.
create table webhook_secrets (
  tenant_id   uuid not null references tenants (id),
  id          bigint generated always as identity,
  sealed      bytea not null,
  created_at  timestamptz not null default service_now(),
  retires_at  timestamptz,
  -- A secret of its own for each environment. Null: the secret signs in both.
  environment text check (environment in ('test', 'live')),
  primary key (tenant_id, id)
);
create index webhook_secrets_key on webhook_secrets (sealing_key_of(sealed));

-- Entries of the audit chain, committed with the change they tell of and not yet in their chain. The sequencer takes them out.
create table audit_inbox (
  id         bigint generated always as identity primary key,
  tenant_id  uuid not null,
  at         timestamptz not null default service_now(),
  action     text not null,
  actor      text not null,
  actor_name text,
  subject    text,
  purpose    text,
  detail     jsonb
);
alter table audit_inbox
  alter column actor_name set statistics 0,
  alter column subject set statistics 0,
  alter column purpose set statistics 0,
  alter column detail set statistics 0;
create index audit_inbox_subject_idx on audit_inbox (subject) where subject is not null;

-- What a verification asks is a version of a template, or a query of its own. Versions never change, so that a verification keeps
-- what it was created with while it stores no more than a hash.
create table template_versions (
  hash       bytea primary key,
  body       jsonb not null,
  created_at timestamptz not null default service_now()
);

create table templates (
  tenant_id  uuid not null references tenants (id),
  key        text not null,
  version    bytea not null references template_versions (hash),
  updated_at timestamptz not null default service_now(),
  primary key (tenant_id, key)
);

-- Who asks: the chain that wallets are shown and the sealed key that signs for it. A verification names its certificate, so an
-- old one serves until its last verification has ended.
create table access_certificates (
  hash       bytea primary key,
  tenant_id  uuid references tenants (id),
  chain      text not null,
  sealed_key bytea,
  self_made  boolean not null default false,
  created_at timestamptz not null default service_now(),
  key_uri    text,
  check (num_nonnulls(sealed_key, key_uri) = 1)
);
create index access_certificates_key on access_certificates (sealing_key_of(sealed_key)) where sealed_key is not null;

create table verification_sessions (
  day                date not null,
  id                 text not null,
  tenant_id          uuid not null,
  environment        text not null,
  device_id          uuid,
  status             text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  template           text,
  template_version   bytea,
  query              jsonb,
  metadata           jsonb,
  purpose            text,
  webhook_url        text,
  redirect_url       text,
  certificate        bytea not null,
  seed               bytea,
  idempotency_hash   bytea,
  error              jsonb,
  response_code_hash bytea,
  redeemed_at        timestamptz,
  purge_day          date,
  created_at         timestamptz not null,
  expires_at         timestamptz not null,
  responded_at       timestamptz,
  -- `held`: the result is shown once its code was redeemed. The fetches of the request are counted for the verification's timeline.
  held               boolean not null default false,
  fetches            integer not null default 0,
  first_fetched_at   timestamptz,
  -- When a wallet refused without a reason for the first time. The verification stays open once: another wallet may hold what is asked.
  refused_at         timestamptz,
  -- When an error without encryption first arrived over the Digital Credentials API. It does not end the verification (DC-11).
  dc_error_at        timestamptz,
  primary key (day, id),
  check ((status = 'pending') = (responded_at is null))
) partition by range (day);
alter table verification_sessions
  alter column query set statistics 0,
  alter column metadata set statistics 0,
  alter column purpose set statistics 0,
  alter column webhook_url set statistics 0,
  alter column redirect_url set statistics 0,
  alter column error set statistics 0;
create index verification_sessions_tenant_id_environment_created_at_idx on verification_sessions (tenant_id, environment, created_at desc);
create index verification_sessions_expires_at_idx on verification_sessions (expires_at) where seed is not null;

-- Cut by the day they are purged, which is fixed when they are written: a tenant's retention is a dropped partition.
create table verification_results (
  purge_day          date not null,
  verification_id         text not null,
  tenant_id          uuid not null,
  claims             jsonb,
  credentials        jsonb not null,
  -- Results of a tenant that keeps them no longer than it takes to deliver them (RET-3). Fixed when they are written.
  forget_on_delivery boolean not null default false,
  -- Whose each claim of a result is, by its name: a hash of the issuer within whose numbers a person's number is unique. It is kept with the
  -- claims, and only where an OpenID client recognises people by one of them. A result without it says nobody's subject.
  claim_issuers      jsonb,
  primary key (purge_day, verification_id)
) partition by range (purge_day);
alter table verification_results
  alter column claims set statistics 0,
  alter column credentials set statistics 0;

-- The key is kept as a keyed hash that covers tenant, environment and device. The answer is the text that was sent, without
-- its times: they are those of the row.
create table idempotency_keys (
  day        date not null,
  key_hash   bytea not null,
  body_hash  bytea not null,
  response   text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (key_hash, day)
) partition by range (day);
alter table idempotency_keys
  alter column response set statistics 0;

-- A wallet's response, as a process sends it: its outcome, what is kept of it and for how long, and who is to be told.
create type wallet_response as (
  day                date,
  id                 text,
  tenant_id          uuid,
  environment        text,
  status             text,
  error              jsonb,
  response_code_hash bytea,
  held               boolean,
  keep_days          integer,
  claims             jsonb,
  claim_issuers      jsonb,
  credentials        jsonb,
  forget_on_delivery boolean,
  webhook_url        text,
  webhook_host       text
);

-- One row to a tenant, locked by every creation: it counts the day and keeps the last created_at, which is strictly
-- increasing. A day that has turned moves to usage_days.
create table tenant_usage (
  tenant_id       uuid primary key references tenants (id),
  day             date not null,
  used            integer not null check (used >= 0),
  last_created_at timestamptz not null
) with (fillfactor = 30);

create table usage_days (
  tenant_id uuid not null references tenants (id),
  day       date not null,
  used      integer not null check (used > 0),
  primary key (tenant_id, day)
);
create index usage_days_day on usage_days (day);

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
  signed_copy     bytea,
  unique (environment, url)
);

-- Who is believed. Null `document_types`: for all of them. Null `list_id`: an operator added it.
create table trust_anchors (
  id             bigint generated always as identity primary key,
  environment    text not null check (environment in ('test', 'live')),
  fingerprint    bytea not null check (octet_length(fingerprint) = 32),
  certificate    bytea not null,
  document_types text[],
  list_id        bigint references trust_lists (id) on delete cascade,
  added_at       timestamptz not null default service_now(),
  -- What an anchor is trusted to do, and who operates it (ADR 14). A certificate may have several roles. Anchors of one entity vouch
  -- for each other; a null entity stands alone.
  role           text not null default 'issuing' check (role in ('issuing', 'revocation', 'list_signing', 'registration')),
  entity         text check (char_length(entity) <= 2500),
  unique nulls not distinct (environment, list_id, fingerprint, role)
);

-- Turned with every change above, so that a process asks for one number and not for the anchors.
create table trust_version (
  one     boolean default true primary key check (one),
  version bigint not null
);
insert into trust_version (version) values (1);

-- The issuer that the test environment trusts, with its private keys, sealed.
create table sandbox_issuer (
  one    boolean default true primary key check (one),
  sealed bytea not null
);

-- Every attempt that was made (HOOK-7), with an empty `endpoint_id` if it was to the `webhook_url` of the verification. `error` is our own
-- words, never the receiver's.
create table webhook_deliveries (
  verification_day  date not null,
  verification_id   text not null,
  endpoint_id  text not null default '',
  attempt      integer not null,
  tenant_id    uuid not null,
  environment  text not null,
  attempted_at timestamptz not null,
  outcome      text not null check (outcome in ('delivered', 'failed', 'refused', 'timed_out', 'interrupted', 'unknown')),
  status       smallint,
  duration_ms  integer,
  error        text check (char_length(error) <= 100),
  event_type   text,
  url          text,
  primary key (verification_day, verification_id, endpoint_id, attempt)
) partition by range (verification_day);
create index webhook_deliveries_newest on webhook_deliveries (tenant_id, environment, attempted_at desc);

-- The log of this cell: the name it signs under, the sealed key that signs, and the newest signed checkpoint.
create table audit_log (
  is_only         boolean default true primary key check (is_only),
  origin          text not null,
  sealed_key      bytea not null,
  checkpoint      text,
  -- How the signatures of the current key begin; null while the log has its first key. A process that still signs with an old key cannot
  -- store its checkpoint.
  signature_start text,
  constraint audit_log_signed_with_current_key check (signature_start is null or checkpoint is null or strpos(checkpoint, e'\n' || signature_start) > 0)
);

-- Where each tenant's chain stands, and where it stood at the last leaf. A sequencer moves the one, a leaf the other.
create table audit_chains (
  tenant_id   uuid primary key,
  day         date not null,
  seq         bigint not null check (seq >= 0),
  link        bytea not null check (octet_length(link) = 32),
  signed_seq  bigint not null default 0,
  signed_link bytea check (octet_length(signed_link) = 32),
  check (signed_seq <= seq)
) with (fillfactor = 50);
create index audit_chains_tenant_id_idx on audit_chains (tenant_id) where seq > signed_seq;

-- What the chains are made of. Nothing here names a person: the last three columns are commitments to texts. detail is the
-- text that was hashed. A row lies in the day on which it was sequenced, which never goes back within a chain.
create table audit_entries (
  day        date not null,
  tenant_id  uuid not null,
  seq        bigint not null,
  at         timestamptz not null,
  action     text not null,
  actor      text not null,
  detail     text,
  link       bytea not null,
  actor_name bytea,
  purpose    bytea,
  subject    bytea,
  primary key (tenant_id, seq, day)
) partition by range (day);

-- The texts, and the secret that their salts are derived from. An erasure deletes those of its verification, age the rest.
create table audit_texts (
  day        date not null,
  tenant_id  uuid not null,
  seq        bigint not null,
  secret     bytea not null,
  actor_name text,
  purpose    text,
  subject    text,
  primary key (tenant_id, seq, day)
) partition by range (day);
alter table audit_texts
  alter column secret set statistics 0,
  alter column actor_name set statistics 0,
  alter column purpose set statistics 0,
  alter column subject set statistics 0;
create index audit_texts_tenant_id_subject_idx on audit_texts (tenant_id, subject) where subject is not null;

-- The leaves of the cell's log, and the heads that were new in each. place is the head's in the tree of new heads.
create table audit_leaves (
  index           bigint primary key,
  at              timestamptz not null,
  heads_count     integer not null,
  heads_root      bytea not null,
  new_heads_count integer not null,
  new_heads_root  bytea not null
);

create table audit_heads (
  day       date not null,
  leaf      bigint not null,
  place     integer not null,
  tenant_id uuid not null,
  seq       bigint not null,
  link      bytea not null,
  primary key (leaf, place, day)
) partition by range (day);
create index audit_heads_tenant_id_seq_idx on audit_heads (tenant_id, seq);

-- Finished inner nodes of the log, of every eighth height. They never change.
create table audit_nodes (
  height smallint not null,
  index  bigint not null,
  hash   bytea not null check (octet_length(hash) = 32),
  primary key (height, index)
);

-- What a tenant tells wallets of itself beside its certificate (OpenID4VP 1.0 §5.11). Never changed, so that a verification that
-- names one is answered as it was created.
create table verifier_infos (
  hash       bytea primary key,
  body       text not null,
  created_at timestamptz not null default service_now()
);

-- Who asks for a tenant's new verifications. Null: the service's own certificate.
create table tenant_identities (
  tenant_id   uuid primary key references tenants (id),
  certificate bytea references access_certificates (hash),
  updated_at  timestamptz not null default service_now(),
  created_by  uuid
);

-- A till or a tablet. Its tokens are not stored: a token is the device, its place in a row of tokens, and a MAC. Of its refresh
-- tokens the one of the current generation is unspent, and every earlier one is spent.
create table devices (
  tenant_id                uuid not null references tenants (id),
  id                       uuid not null unique,
  environment              text not null check (environment in ('test', 'live')),
  name                     text not null check (char_length(name) between 1 and 64),
  status                   text not null default 'pending' check (status in ('pending', 'active', 'revoked')),
  allowed_templates        text[] not null check (cardinality(allowed_templates) between 1 and 20),
  pairing_hash             bytea not null unique check (octet_length(pairing_hash) = 32),
  pairing_expires_at       timestamptz not null,
  generation               integer not null default 0 check (generation >= 0),
  created_at               timestamptz not null,
  enrolled_at              timestamptz,
  last_seen_at             timestamptz,
  revoked_at               timestamptz,
  -- The dashboard warns of a till that was revoked because a spent token came back.
  revoked_by_reuse         boolean not null default false,
  registered_by            uuid,
  -- A device with a new pairing code: access tokens that were issued up to this second are refused, also once it is paired again.
  tokens_after             timestamptz,
  -- A device whose later refreshes a restore has lost: a genuine token of a later generation is accepted once.
  accepts_later_generation boolean not null default false,
  -- Who made what gives access without a session: the member, at the end of the chain if an API key of theirs made it, and that key.
  -- Null for what an operator made.
  registered_by_key        uuid,
  primary key (tenant_id, id),
  check ((status = 'revoked') = (revoked_at is not null))
);
create index devices_tenant_id_environment_created_at_idx on devices (tenant_id, environment, created_at desc);
create index devices_pending on devices (tenant_id, pairing_expires_at) where status = 'pending';
create index devices_enrolled on devices (tenant_id, environment) where enrolled_at is not null;
create index devices_active on devices (tenant_id, environment) where status = 'active';
create index devices_reused on devices (tenant_id, environment, revoked_at desc) where revoked_by_reuse;
create index devices_created on devices (tenant_id, created_at);
create index devices_newest on devices (tenant_id, environment, created_at desc, id desc);
create index devices_registered_by on devices (tenant_id, registered_by) where registered_by is not null and status <> 'revoked';

-- Pairing codes that were never issued, by the address that tried them: fifty at once, and ten an hour after that (ENROLL-5).
create table pairing_guesses (
  address    text primary key,
  room       double precision not null check (room >= 0),
  updated_at timestamptz not null
);
create index pairing_guesses_updated_at_idx on pairing_guesses (updated_at);

-- Developers who have the outcomes of test verifications forwarded to their own machine (`vidimus listen`), each for as long
-- as it renews its lease.
create table webhook_listeners (
  tenant_id uuid not null references tenants (id),
  id        uuid not null,
  until     timestamptz not null,
  primary key (tenant_id, id)
);

-- What listeners are told, a row for each outcome and listener: written with the result, sent while `sent_at` is null, and from
-- then on the log of a forward. No delivery: it neither counts as an attempt nor ends one. `error` is our own words.
create table webhook_forwards (
  verification_day date not null,
  id          uuid not null default gen_random_uuid(),
  verification_id  text not null,
  tenant_id   uuid not null,
  listener_id uuid not null,
  offered_at  timestamptz not null default service_now(),
  sent_at     timestamptz,
  outcome     text check (outcome in ('delivered', 'failed')),
  status      smallint,
  duration_ms integer,
  error       text check (char_length(error) <= 100),
  primary key (verification_day, id)
) partition by range (verification_day);
create index webhook_forwards_waiting on webhook_forwards (tenant_id, listener_id, offered_at) where sent_at is null;
create index webhook_forwards_newest on webhook_forwards (tenant_id, sent_at desc) where sent_at is not null;
create index webhook_forwards_session on webhook_forwards (verification_id);

-- What a tenant has decided about whom it believes (TRUST-1). No row: whoever is believed in the environment. `all`: those and
-- its own anchors; `own`: its own alone. `version` is turned with every change, so that a process asks for one number.
create table tenant_trust (
  tenant_id uuid primary key references tenants (id),
  policy    text not null default 'all' check (policy in ('all', 'own')),
  version   bigint not null default 1
);

-- Anchors that count for one tenant. Null `document_types`: for all of them.
create table tenant_anchors (
  tenant_id      uuid not null references tenants (id),
  environment    text not null check (environment in ('test', 'live')),
  fingerprint    bytea not null check (octet_length(fingerprint) = 32),
  certificate    bytea not null,
  document_types text[],
  added_at       timestamptz not null default service_now(),
  role           text not null default 'issuing' check (role in ('issuing', 'revocation', 'list_signing', 'registration')),
  entity         text check (char_length(entity) <= 2500),
  created_by     uuid,
  primary key (tenant_id, environment, fingerprint, role)
);

-- Who administers a tenant. There are no passwords: a member comes in with a passkey or through the operator's provider.
create table members (
  tenant_id    uuid not null references tenants (id),
  id           uuid not null unique,
  email        text not null check (char_length(email) <= 254),
  name         text not null check (char_length(name) between 1 and 80),
  role         text not null check (role in ('owner', 'admin', 'developer', 'support', 'auditor')),
  oidc_issuer  text,
  oidc_subject text,
  created_at   timestamptz not null default service_now(),
  last_seen_at timestamptz,
  -- The language of a member's mails. English if null.
  language     text check (char_length(language) between 2 and 8),
  primary key (tenant_id, id),
  unique (tenant_id, email),
  unique (oidc_issuer, oidc_subject),
  check ((oidc_issuer is null) = (oidc_subject is null))
);

create table member_passkeys (
  credential_id text primary key check (char_length(credential_id) <= 1400),
  tenant_id     uuid not null,
  member_id     uuid not null,
  name          text not null check (char_length(name) between 1 and 80),
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  backed_up     boolean not null,
  created_at    timestamptz not null default service_now(),
  last_used_at  timestamptz,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index member_passkeys_tenant_id_member_id_idx on member_passkeys (tenant_id, member_id);

-- A link that lets one person in, once. Its row goes when it is used or withdrawn. member_id is the member who is there
-- already, or whom it will make.
create table member_invitations (
  tenant_id  uuid not null references tenants (id),
  id         uuid not null unique,
  token_hash bytea not null unique,
  member_id  uuid not null,
  email      text not null,
  role       text not null check (role in ('owner', 'admin', 'developer', 'support', 'auditor')),
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The actor as the audit log names it: `member:<id>` or `operator`.
  inviter    text not null,
  primary key (tenant_id, id),
  unique (tenant_id, email)
);

-- Only the hash of what the cookie holds is kept. A session ends at expires_at, or once it was idle for too long, whichever
-- comes first; its row may stay a while longer.
create table member_sessions (
  token_hash   bytea primary key,
  tenant_id    uuid not null,
  member_id    uuid not null,
  created_at   timestamptz not null,
  seen_at      timestamptz not null,
  expires_at   timestamptz not null,
  -- When the person behind a verification last proved to be there, with a passkey or a fresh login at the provider. Null: not since it
  -- was opened. `method` says how it was opened.
  confirmed_at timestamptz,
  method       text check (method in ('passkey', 'oidc', 'link')),
  -- The browser in which a member signed in, in words such as "Firefox, Windows", so that members recognise their own sessions. Null for a
  -- browser that is not known.
  browser      text check (length(browser) <= 40),
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index member_sessions_tenant_id_member_id_created_at_idx on member_sessions (tenant_id, member_id, created_at);
create index member_sessions_expires_at_idx on member_sessions (expires_at);

-- A challenge to a passkey is not stored when it is given, only when it was answered: so that it works once.
create table spent_challenges (
  hash       bytea primary key,
  expires_at timestamptz not null
);
create index spent_challenges_expires_at_idx on spent_challenges (expires_at);

-- Failed sign-ins, by the address they came from.
create table sign_in_room (
  address    text primary key,
  room       double precision not null check (room >= 0),
  updated_at timestamptz not null
);
create index sign_in_room_updated_at_idx on sign_in_room (updated_at);

-- Links that were made so that a member who is there already can sign in again. They are shown to that member.
create table member_return_links (
  tenant_id uuid not null,
  id        uuid not null,
  member_id uuid not null,
  made_by   text not null,
  made_at   timestamptz not null,
  used_at   timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index member_return_links_tenant_id_member_id_made_at_idx on member_return_links (tenant_id, member_id, made_at desc);
create index member_return_links_made_at_idx on member_return_links (made_at);

-- Rows that requests read all the time and that rarely change: keys, tenants, identities, trust, templates, secrets, devices.
-- A process keeps copies of them, each with the version that it was read under. The version is replaced in the transaction of
-- every change, so a copy is current as long as the version is the same. It is random and not a counter: after a restore or a
-- failover, a counter could reach the same number again with other rows.
create table change_version (
  one     boolean default true primary key check (one),
  version uuid not null default gen_random_uuid()
) with (fillfactor = 50);
insert into change_version default values;

-- `sealed` is the secret that signs, `previous_sealed` the one that also signs until `previous_retires_at`. `host` is the host of the URL,
-- which names the queue in the queue. `failing_since` is the first failed attempt after the last that succeeded, `alerted_at` when an
-- alert of that was raised that is not resolved yet.
create table webhook_endpoints (
  id                  text primary key check (char_length(id) between 4 and 40),
  tenant_id           uuid not null references tenants (id) on delete cascade,
  environment         text not null check (environment in ('test', 'live')),
  url                 text not null check (char_length(url) <= 2048),
  host                text not null,
  events              text[] not null check (cardinality(events) > 0),
  description         text not null default '' check (char_length(description) <= 200),
  enabled             boolean not null default true,
  disabled_reason     text check (disabled_reason in ('by_request', 'failing')),
  disabled_at         timestamptz,
  failing_since       timestamptz,
  last_failed_at      timestamptz,
  alerted_at          timestamptz,
  sealed              bytea not null,
  secret_created_at   timestamptz not null default service_now(),
  previous_sealed     bytea,
  previous_retires_at timestamptz,
  created_at          timestamptz not null default service_now(),
  created_by          uuid,
  created_by_key      uuid,
  check (enabled = (disabled_reason is null)),
  check (enabled = (disabled_at is null)),
  check ((previous_sealed is null) = (previous_retires_at is null))
) with (fillfactor = 50);
create index webhook_endpoints_owner on webhook_endpoints (tenant_id, environment);
create index webhook_endpoints_alerted on webhook_endpoints (alerted_at) where alerted_at is not null;
create index webhook_endpoints_failing on webhook_endpoints (failing_since) where enabled and failing_since is not null;
create index webhook_endpoints_key on webhook_endpoints (sealing_key_of(sealed));
create index webhook_endpoints_previous_key on webhook_endpoints (sealing_key_of(previous_sealed)) where previous_sealed is not null;

-- Events to be delivered, one row for each and its receiver: an endpoint, or with an empty `endpoint_id` the `webhook_url` of the verification.
-- Those of kind 'alert' are for the tenant's alert webhook: they have an event id in place of the verification's, and a payload without claims.
-- Those of kind 'mail' have the id of the mail.
create table webhook_events (
  verification_id         text not null,
  endpoint_id        text not null default '',
  kind               text not null default 'verification' check (kind in ('verification', 'alert', 'mail')),
  verification_day        date,
  tenant_id          uuid not null,
  environment        text,
  url                text not null,
  host               text not null,
  ready              boolean not null default true,
  due_at             timestamptz not null default service_now(),
  lease              uuid,
  attempt            integer not null default 0,
  failures           integer not null default 0,
  forget_on_delivery boolean not null default false,
  event_type         text,
  payload            jsonb,
  primary key (verification_id, endpoint_id),
  check (lease is null or not ready),
  check ((kind = 'alert') = (payload is not null)),
  check (kind <> 'verification' or (verification_day is not null and environment is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
alter table webhook_events alter column url set statistics 0;
create index webhook_events_ready on webhook_events (tenant_id, host, due_at) where ready;
create index webhook_events_waiting on webhook_events (due_at) where not ready;
create index webhook_events_alerts on webhook_events (tenant_id) where kind = 'alert';

-- The beginning of what receivers answered. It may repeat claims, so it is kept no longer than the result, and 31 days at most.
create table webhook_responses (
  until_day   date not null,
  verification_id  text not null,
  endpoint_id text not null,
  attempt     integer not null,
  tenant_id   uuid not null,
  body        text not null check (char_length(body) <= 2048),
  primary key (verification_id, endpoint_id, attempt, until_day)
) partition by range (until_day);

-- Requests to resend all events that failed since a time. Workers queue them in the order of their last attempt, some per second;
-- `reached_at` and `reached_id` are how far they have come. Attempts after `requested_at` do not count.
create table webhook_resends (
  id           uuid default gen_random_uuid() primary key,
  tenant_id    uuid not null references tenants (id) on delete cascade,
  environment  text not null check (environment in ('test', 'live')),
  endpoint_id  text,
  since        timestamptz not null,
  requested_at timestamptz not null default service_now(),
  reached_at   timestamptz not null,
  reached_id   text not null default '',
  queued       integer not null default 0,
  finished_at  timestamptz
);
create unique index webhook_resends_open on webhook_resends (tenant_id, environment) where finished_at is null;
create index webhook_resends_newest on webhook_resends (tenant_id, environment, requested_at desc);

-- What the members of a tenant should know. An alert is open until it is resolved; one is open for each kind and subject of an
-- environment, or of the tenant as a whole if `environment` is null. `stage` rises while it is open, such as from 80 to 100 % of
-- the quota. `details` contain no claim, secret or verification id.
create table alerts (
  tenant_id   uuid not null references tenants (id) on delete cascade,
  id          uuid not null default gen_random_uuid(),
  environment text check (environment in ('test', 'live')),
  kind        text not null check (char_length(kind) between 1 and 64),
  subject     text not null check (octet_length(subject) between 1 and 2048),
  stage       integer not null,
  details     jsonb not null check (octet_length(details::text) <= 8192),
  raised_at   timestamptz not null,
  resolved_at timestamptz,
  primary key (tenant_id, id)
);
create unique index alerts_open on alerts (tenant_id, kind, subject, environment) nulls not distinct where resolved_at is null;
create index alerts_kind_id_idx on alerts (kind, id) where resolved_at is null;
create index alerts_resolved on alerts (tenant_id, resolved_at) where resolved_at is not null;

-- Alerts that were raised, reached a further stage or were resolved, written with the change and not announced yet. `held` ones
-- exceeded the hourly rate of their tenant and are announced together in a digest.
create table alert_events (
  id        bigint generated always as identity primary key,
  tenant_id uuid not null,
  alert_id  uuid not null,
  type      text not null check (type in ('raised', 'resolved')),
  stage     integer not null,
  details   jsonb not null,
  at        timestamptz not null,
  due_at    timestamptz not null,
  held      boolean not null default false,
  foreign key (tenant_id, alert_id) references alerts (tenant_id, id) on delete cascade
);
create index alert_events_due_at_idx on alert_events (due_at);
create index alert_events_tenant_id_alert_id_idx on alert_events (tenant_id, alert_id);

-- How many alerts were announced by mail in the tenant's current hour.
create table alert_rates (
  tenant_id uuid primary key references tenants (id) on delete cascade,
  hour      timestamptz not null,
  announced integer not null check (announced >= 0)
);

-- Where a tenant's systems receive alerts. Its secret is its own; a rotated one keeps signing until `previous_retires_at`.
create table alert_webhooks (
  tenant_id           uuid primary key references tenants (id) on delete cascade,
  url                 text not null check (char_length(url) <= 2048),
  sealed              bytea not null,
  previous_sealed     bytea,
  previous_retires_at timestamptz,
  created_at          timestamptz not null,
  last_attempt_at     timestamptz,
  last_outcome        text,
  created_by          uuid
);
create index alert_webhooks_key on alert_webhooks (sealing_key_of(sealed));

-- Which alerts a member wants by mail. Without a row the role decides.
create table alert_choices (
  tenant_id uuid not null,
  member_id uuid not null,
  kind      text not null check (char_length(kind) between 1 and 64),
  wanted    boolean not null,
  primary key (tenant_id, member_id, kind),
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);

-- Mails that wait in the queue of webhooks. The content is sealed, because an invitation contains a link that grants access; it is
-- deleted once the mail was sent or given up. A mail to a removed member or for a withdrawn invitation is deleted unsent.
create table mails (
  id            uuid default gen_random_uuid() primary key,
  tenant_id     uuid not null references tenants (id) on delete cascade,
  member_id     uuid,
  invitation_id uuid,
  recipient     text not null check (char_length(recipient) <= 254),
  sealed        bytea,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  state         text not null check (state in ('waiting', 'sent', 'failed')),
  failure       text,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, invitation_id) references member_invitations (tenant_id, id) on update cascade on delete cascade
);
create index mails_member on mails (tenant_id, member_id) where member_id is not null;
create index mails_invitation on mails (tenant_id, invitation_id) where invitation_id is not null;

-- The requests of keys and devices in the last days, and those of members that failed, as their tenant sees them. A route is a pattern,
-- never a path. A verification is kept as a keyed hash, which its erasure removes.
create sequence request_log_ids;
create table request_log (
  day          date not null,
  id           bigint not null default nextval('request_log_ids'),
  at           timestamptz not null,
  tenant_id    uuid not null,
  environment  text not null,
  request_id   text not null,
  method       text not null,
  route        text not null,
  status       smallint not null,
  error_code   text,
  duration_us  integer not null,
  idempotency  text check (idempotency in ('new', 'replayed', 'conflict')),
  key_id       uuid,
  device_id    uuid,
  member_id    uuid,
  verification_hash bytea,
  -- Requests of the same tenant and environment that were left out since the last row that its process wrote.
  omitted      integer not null default 0,
  primary key (tenant_id, environment, at, id, day)
) partition by range (day);
create index request_log_tenant_id_request_id_idx on request_log (tenant_id, request_id);
create index request_log_session_hash_idx on request_log (verification_hash) where verification_hash is not null;

-- Tenants that want no log.
create table request_log_off (
  tenant_id uuid primary key references tenants (id)
);

-- The figures of past days, counted once all their verifications have ended. A day has four sets of rows: all verifications, by template,
-- by device, and by both. They name no verification and no person, so an erasure leaves them as they are.
create table outcome_counts (
  tenant_id       uuid not null,
  environment     text not null,
  by_template     boolean not null,
  by_device       boolean not null,
  template        text not null,
  device_id       uuid not null,
  day             date not null,
  outcome         text not null,
  error_code      text not null,
  opened          boolean not null,
  response_bucket smallint not null,
  verifications        integer not null check (verifications > 0),
  primary key (tenant_id, environment, by_template, by_device, template, device_id, day, outcome, error_code, opened, response_bucket)
);
create index outcome_counts_day on outcome_counts (day);

-- Verifications that were erased before their day was counted. The figures add them to the verifications that are left.
create table erased_outcomes (
  tenant_id       uuid not null,
  environment     text not null,
  day             date not null,
  template        text not null,
  device_id       uuid not null,
  outcome         text not null,
  error_code      text not null,
  opened          boolean not null,
  response_bucket smallint not null,
  verifications        integer not null check (verifications > 0),
  primary key (tenant_id, environment, day, template, device_id, outcome, error_code, opened, response_bucket)
);
create index erased_outcomes_day on erased_outcomes (day);

-- The last day that is counted for every tenant.
create table outcome_progress (
  one     boolean default true primary key check (one),
  through date not null
);
insert into outcome_progress (through) values (service_day() - 92);

-- What the metadata of a credential type says it extends (ADR 15). `key` is the SHA-256 of the URI and its integrity, so that a
-- row is true for ever: it is deleted only because nobody uses it. Null `extends`: the type extends none.
create table type_metadata (
  key               bytea primary key check (octet_length(key) = 32),
  extends           text check (char_length(extends) <= 2048),
  extends_integrity text check (char_length(extends_integrity) <= 512),
  used_at           timestamptz not null default service_now()
);
create index type_metadata_used_at_idx on type_metadata (used_at);

-- The intended uses that a tenant is registered for (ETSI TS 119 475). A row never changes what it says of itself: another certificate
-- is another registration. Both forms in which requests can carry it are composed when it is stored, so that a verification only
-- selects a hash.
create table registrations (
  tenant_id      uuid not null references tenants (id),
  id             uuid not null default gen_random_uuid(),
  name           text not null,
  is_default     boolean not null,
  -- The certificate, its hash and what it says.
  token          text not null,
  fingerprint    bytea not null,
  contents       jsonb not null,
  dataset        jsonb,
  info_base64url bytea not null references verifier_infos (hash),
  info_jwt       bytea not null references verifier_infos (hash),
  -- What the last check found.
  findings       jsonb not null default '[]',
  expires_at     timestamptz,
  created_at     timestamptz not null default service_now(),
  checked_at     timestamptz,
  check_due_at   timestamptz not null default service_now(),
  primary key (tenant_id, id)
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
  foreign key (tenant_id, registration_id) references registrations (tenant_id, id)
);
create index template_registrations_registration on template_registrations (tenant_id, registration_id);

-- A tenant without a row has the defaults.
create table registration_settings (
  tenant_id uuid primary key references tenants (id),
  encoding  text not null default 'base64url' check (encoding in ('base64url', 'jwt')),
  policy    text not null default 'warn' check (policy in ('warn', 'refuse'))
);

-- `issuer` is the SHA-256 of the certificate of the authority that a certificate revocation list was verified with, and empty
-- otherwise: two authorities that name the same place do not share a copy. A copy serves until `lapses_at`; `refresh_at` is when
-- the worker looks for the next.
create table revocation_lists (
  environment        text not null check (environment in ('test', 'live')),
  uri                text not null check (char_length(uri) <= 2048),
  issuer             bytea not null default '\x' check (length(issuer) in (0, 32)),
  issuer_certificate bytea,
  token              bytea not null,
  media              text not null check (media in ('jwt', 'cwt', 'crl')),
  issued_at          timestamptz not null,
  fetched_at         timestamptz not null,
  refresh_at         timestamptz not null,
  lapses_at          timestamptz not null,
  used_at            timestamptz not null,
  primary key (environment, uri, issuer),
  check ((issuer_certificate is null) = (issuer = '\x'::bytea))
);
create index revocation_lists_refresh_at_idx on revocation_lists (refresh_at);
create index revocation_lists_used_at_idx on revocation_lists (used_at);

-- What the database knows of the erasure ledger, a folder outside it (ADR 22). An erasing transaction inserts a mark for each of
-- its entries, so an entry that was committed and has no mark was lost by the database.
create table erasure_marks (
  -- The name of a file of the ledger.
  ledger   text not null,
  position bigint not null,
  primary key (ledger, "position")
);

-- Every entry of a file below `confirmed` is accounted for, its mark is deleted, and what follows begins at `confirmed_bytes`. A file
-- of notes has a row too, with the size at which it was last seen.
create table erasure_ledgers (
  ledger        text primary key,
  confirmed       bigint not null,
  confirmed_bytes bigint not null,
  -- When its last confirmed entry was written, or when a file of notes was last seen to grow.
  last_at       timestamptz not null
);

-- A tenant that moves to another cell. In the cell that it leaves, one row for each move, also after it. The column is not named tenant_id:
-- the row must outlive the rows of the tenant.
create table tenant_moves (
  tenant     uuid primary key,
  to_cell    text not null check (to_cell ~ '^[0-9A-Za-z]$'),
  -- draining: no webhook or mail is claimed. frozen: nothing changes. moved: the other cell has the tenant. finishing: rows are being deleted.
  stage      text not null check (stage in ('draining', 'frozen', 'moved', 'finishing', 'finished')),
  started_at timestamptz not null default service_now(),
  frozen_at  timestamptz,
  moved_at   timestamptz
);

-- What a router needs to find the cell of a moved tenant: a hash of a key or token, the first characters of a device's tokens, a verification id.
create table moved_routes (
  route    text primary key,
  tenant   uuid not null,
  cell     text not null,
  -- Null: as long as the row exists.
  until_at timestamptz
);
create index moved_routes_tenant on moved_routes (tenant);

-- The OpenID Connect bridge. Each tenant is an issuer of its own, from its first client on. Claims are in none of these tables: tokens are
-- rendered from verification_results when they are asked for.
create table openid_issuers (
  tenant_id  uuid primary key references tenants (id),
  -- The character of the cell that created it. It is part of the issuer's address, which never changes, also if the tenant moves.
  cell       text not null,
  -- The key of pairwise subjects.
  sealed     bytea not null,
  created_at timestamptz not null default service_now()
);
create index openid_issuers_key on openid_issuers (sealing_key_of(sealed));

-- Keys that sign ID tokens. A new key is published before it signs, so that clients know it; an old one is published for as long as
-- anyone may still verify a token with it.
create table openid_keys (
  tenant_id  uuid not null references openid_issuers (tenant_id),
  id         text not null,
  algorithm  text not null check (algorithm in ('RS256', 'ES256')),
  public_jwk jsonb not null,
  sealed     bytea not null,
  signs_from timestamptz not null,
  primary key (tenant_id, id)
);
create index openid_keys_key on openid_keys (sealing_key_of(sealed));

create table openid_clients (
  id                 text primary key,
  tenant_id          uuid not null references openid_issuers (tenant_id),
  environment        text not null check (environment in ('test', 'live')),
  name               text not null,
  redirect_uris      text[] not null,
  templates          text[] not null,
  purpose            text,
  -- How the token endpoint recognises the client. Without a secret, PKCE alone protects the code.
  authentication     text not null check (authentication in ('secret', 'none')),
  id_token_algorithm text not null check (id_token_algorithm in ('RS256', 'ES256')),
  -- The claim that pairwise subjects are derived from. Null: every verification has a subject of its own.
  subject_claim      text,
  created_by         uuid,
  created_at         timestamptz not null default service_now(),
  -- The last request of a client's site that was refused, for whoever sets the site up.
  last_problem       text check (length(last_problem) <= 500),
  last_problem_at    timestamptz,
  -- A client that recognises people signs them in, and a QR code can be passed on to a person who believes to sign in elsewhere. Its
  -- verifications are answered on the device of the browser, unless its owner accepts that risk.
  cross_device       boolean not null default false
);
create index openid_clients_tenant on openid_clients (tenant_id, environment, created_at);

create table openid_client_secrets (
  id         uuid primary key,
  tenant_id  uuid not null references openid_issuers (tenant_id),
  client_id  text not null references openid_clients (id) on delete cascade,
  hash       bytea not null,
  created_at timestamptz not null default service_now(),
  -- Set when a newer secret replaces it.
  expires_at timestamptz
);
create index openid_client_secrets_client on openid_client_secrets (client_id);

-- One row for each authorization request that created a verification, until its tokens have expired. The id, the code and the access
-- token are keyed hashes: none of them can be computed from a row.
create table openid_authorizations (
  id             text primary key,
  tenant_id      uuid not null references openid_issuers (tenant_id),
  client_id      text not null references openid_clients (id) on delete cascade,
  verification_day    date,
  verification_id     text,
  -- The browser that left. Only the same one may come back.
  browser_hash   bytea not null,
  redirect_uri   text not null,
  state          text,
  nonce          text,
  code_challenge text not null,
  -- When the browser came back and got the code, and when the client exchanged it.
  returned_at    timestamptz,
  exchanged_at   timestamptz,
  ends_at        timestamptz not null,
  -- How the site gets its answer: in the query of its address, or in a form that the browser posts there.
  response_mode  text not null default 'query' check (response_mode in ('query', 'form_post')),
  -- The id of an authorization is random, so that its code never comes back. While it is under way, a hash of the browser and of its
  -- request finds it: the same request continues it. Once it has ended, the hash is removed, and the same request begins another one.
  -- It is stored before its verification is created.
  request_hash   bytea
);
create index openid_authorizations_session on openid_authorizations (verification_id);
create index openid_authorizations_ends on openid_authorizations (ends_at);
create index openid_authorizations_client on openid_authorizations (client_id);
create unique index openid_authorizations_request on openid_authorizations (request_hash);

-- Each replacement of the key of this cell's audit log, in order: a note that the old key and the new one have signed.
create table audit_handovers (
  number integer primary key check (number between 1 and 1000),
  note   text not null
);

-- How many invitations may still be sent by mail: by a tenant, to a recipient, and by a tenant to a recipient. A withdrawn or replaced
-- invitation takes its mail with it, so the mails themselves cannot be counted. A recipient is a keyed hash.
create table mail_room (
  address    text primary key,
  room       double precision not null,
  updated_at timestamptz not null
);
create index mail_room_updated_at_idx on mail_room (updated_at);

-- Verifications of days that are not over, counted once they have ended, so that the figures of a large tenant read few of them. Like
-- `outcome_counts`, with the same four sets of rows for each day; a day that is over moves there.
create table outcome_parts (
  tenant_id       uuid not null,
  environment     text not null,
  by_template     boolean not null,
  by_device       boolean not null,
  template        text not null,
  device_id       uuid not null,
  day             date not null,
  outcome         text not null,
  error_code      text not null,
  opened          boolean not null,
  response_bucket smallint not null,
  verifications        integer not null,
  primary key (tenant_id, environment, by_template, by_device, template, device_id, day, outcome, error_code, opened, response_bucket),
  check (verifications > 0)
);
create index outcome_parts_day on outcome_parts (day);

-- Up to when a tenant's verifications are in `outcome_parts`. The times of creation of a tenant only grow.
create table outcome_marks (
  tenant_id      uuid not null,
  environment    text not null,
  counted_before timestamptz not null,
  primary key (tenant_id, environment)
);

-- When a worker last ran, in at most one row. Nothing but `vidimus doctor` reads it.
create table worker_heartbeat (
  is_only boolean default true primary key check (is_only),
  at      timestamptz not null
) with (fillfactor = 50);
