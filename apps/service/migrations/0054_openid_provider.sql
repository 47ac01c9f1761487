-- The OpenID Connect bridge. Each tenant is an issuer of its own, from its first client on. Claims are in none of these tables: tokens are
-- rendered from verification_results when they are asked for.
create table openid_issuers (
  tenant_id   uuid primary key references tenants,
  -- The character of the cell that created it. It is part of the issuer's address, which never changes, also if the tenant moves.
  cell        text not null,
  -- The key of pairwise subjects.
  sealed      bytea not null,
  created_at  timestamptz not null default service_now()
);

-- Keys that sign ID tokens. A new key is published before it signs, so that clients know it; an old one is published for as long as
-- anyone may still verify a token with it.
create table openid_keys (
  tenant_id   uuid not null references openid_issuers,
  id          text not null,
  algorithm   text not null check (algorithm in ('RS256', 'ES256')),
  public_jwk  jsonb not null,
  sealed      bytea not null,
  signs_from  timestamptz not null,
  primary key (tenant_id, id)
);
create index openid_keys_key on openid_keys (sealing_key_of(sealed));
create index openid_issuers_key on openid_issuers (sealing_key_of(sealed));

create table openid_clients (
  id                  text primary key,
  tenant_id           uuid not null references openid_issuers,
  environment         text not null check (environment in ('test', 'live')),
  name                text not null,
  redirect_uris       text[] not null,
  templates           text[] not null,
  purpose             text,
  -- How the token endpoint recognises the client. Without a secret, PKCE alone protects the code.
  authentication      text not null check (authentication in ('secret', 'none')),
  id_token_algorithm  text not null check (id_token_algorithm in ('RS256', 'ES256')),
  -- The claim that pairwise subjects are derived from. Null: every verification has a subject of its own.
  subject_claim       text,
  created_by          uuid,
  created_at          timestamptz not null default service_now()
);
create index openid_clients_tenant on openid_clients (tenant_id, environment, created_at);

create table openid_client_secrets (
  id          uuid primary key,
  tenant_id   uuid not null references openid_issuers,
  client_id   text not null references openid_clients on delete cascade,
  hash        bytea not null,
  created_at  timestamptz not null default service_now(),
  -- Set when a newer secret replaces it.
  expires_at  timestamptz
);
create index openid_client_secrets_client on openid_client_secrets (client_id);

-- One row for each authorization request that created a verification, until its tokens have expired. The id, the code and the access
-- token are keyed hashes: none of them can be computed from a row.
create table openid_authorizations (
  id              text primary key,
  tenant_id       uuid not null references openid_issuers,
  client_id       text not null references openid_clients on delete cascade,
  session_day     date not null,
  session_id      text not null,
  -- The browser that left. Only the same one may come back.
  browser_hash    bytea not null,
  redirect_uri    text not null,
  state           text,
  nonce           text,
  code_challenge  text not null,
  -- When the browser came back and got the code, and when the client exchanged it.
  returned_at     timestamptz,
  exchanged_at    timestamptz,
  ends_at         timestamptz not null
);
create index openid_authorizations_session on openid_authorizations (session_id);
create index openid_authorizations_ends on openid_authorizations (ends_at);
create index openid_authorizations_client on openid_authorizations (client_id);

-- Whether the site that asked can still collect this result. Until then, a result that is deleted on delivery is kept.
create function awaits_openid_client(of_session text) returns boolean
  language sql stable
  as $$ select exists (select from openid_authorizations a where a.session_id = of_session and a.ends_at > service_now()) $$;

create trigger refuse_retired_key before insert or update of sealed on openid_issuers
  for each row execute function refuse_retired_key('sealed');
create trigger refuse_retired_key before insert or update of sealed on openid_keys
  for each row execute function refuse_retired_key('sealed');

create or replace view sealed_values as
  select 'webhook_secrets.sealed' as place, sealed from webhook_secrets
  union all select 'webhook_endpoints.sealed', sealed from webhook_endpoints
  union all select 'webhook_endpoints.previous_sealed', previous_sealed from webhook_endpoints where previous_sealed is not null
  union all select 'alert_webhooks.sealed', sealed from alert_webhooks
  union all select 'alert_webhooks.previous_sealed', previous_sealed from alert_webhooks where previous_sealed is not null
  union all select 'mail_queue.sealed', sealed from mail_queue where sealed is not null
  union all select 'access_certificates.sealed_key', sealed_key from access_certificates where sealed_key is not null
  union all select 'audit_log.sealed_key', sealed_key from audit_log
  union all select 'sandbox_issuer.sealed', sealed from sandbox_issuer
  union all select 'openid_issuers.sealed', sealed from openid_issuers
  union all select 'openid_keys.sealed', sealed from openid_keys;

create or replace function replace_sealed(place text, old_value bytea, new_value bytea) returns boolean
  language plpgsql as $$
declare
  parts   text[] := string_to_array(place, '.');
  changed bigint;
begin
  if not exists (select from (values ('webhook_secrets.sealed'), ('webhook_endpoints.sealed'), ('webhook_endpoints.previous_sealed'),
    ('alert_webhooks.sealed'), ('alert_webhooks.previous_sealed'), ('mail_queue.sealed'), ('access_certificates.sealed_key'),
    ('audit_log.sealed_key'), ('sandbox_issuer.sealed'), ('openid_issuers.sealed'), ('openid_keys.sealed')) as known (name)
    where name = place) then
    raise exception 'no sealed values are in %', place;
  end if;
  execute format('update %1$I set %2$I = $2 where %2$I = $1 and sealing_key_of(%2$I) = sealing_key_of($1)', parts[1], parts[2])
    using old_value, new_value;
  get diagnostics changed = row_count;
  return changed > 0;
end $$;

-- As before, and with the authorization that created the session.
create or replace function erase_verification(of_tenant uuid, in_environment text, of_day date, of_id text, by_actor text, by_name text)
  returns table (sessions integer, results integer, deliveries integer, erased_at timestamptz)
  language plpgsql as $$
declare
  gone            verification_sessions;
  gone_results    integer;
  gone_deliveries integer;
  gone_of_endpoints integer;
  removed         bigint[];
begin
  perform from verification_sessions s
  where s.day = of_day and s.id = of_id and s.tenant_id = of_tenant and s.environment = in_environment;
  if not found then return; end if;
  perform pg_advisory_xact_lock(webhook_hold_key(of_id));

  delete from verification_sessions s
  where s.day = of_day and s.id = of_id and s.tenant_id = of_tenant and s.environment = in_environment
  returning s.* into gone;
  if gone.id is null then return; end if;

  delete from openid_authorizations a where a.session_id = of_id;
  delete from webhook_events q where q.session_id = of_id;
  delete from verification_results r where r.purge_day = gone.purge_day and r.session_id = of_id;
  get diagnostics gone_results = row_count;
  delete from webhook_deliveries d where d.session_day = of_day and d.session_id = of_id;
  get diagnostics gone_deliveries = row_count;
  delete from webhook_endpoint_deliveries d where d.session_day = of_day and d.session_id = of_id;
  get diagnostics gone_of_endpoints = row_count;
  delete from webhook_responses r where r.session_id = of_id;
  update idempotency_keys i set answer = null where i.day = of_day and i.key_hash = gone.idempotency_hash;
  removed := erase_audit_texts(of_tenant, of_id, of_day);
  insert into audit_inbox (tenant_id, at, action, actor, actor_name, detail)
  values (of_tenant, service_now(), 'verification.erased', by_actor, by_name,
    jsonb_build_object('removed', to_jsonb(removed)));
  return query select 1, gone_results, gone_deliveries + gone_of_endpoints, service_now();
end $$;
