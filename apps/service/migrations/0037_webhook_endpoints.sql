-- Webhook endpoints: receivers that a tenant sets up once, beside the `webhook_url` of a session (ADR 37).

-- `sealed` is the secret that signs, `previous_sealed` the one that also signs until `previous_retires_at`. `host` is the host of the URL,
-- which names the lane in the queue. `failing_since` is the first failed attempt after the last that succeeded, `alerted_at` when an
-- alert of that was raised that is not resolved yet.
create table webhook_endpoints (
  id                  text primary key check (char_length(id) between 4 and 40),
  tenant_id           uuid not null references tenants on delete cascade,
  environment         text not null check (environment in ('test', 'live')),
  url                 text not null check (char_length(url) <= 2048),
  host                text not null,
  events              text[] not null check (
    cardinality(events) > 0
    and events <@ array['verification.completed', 'verification.failed', 'verification.expired']
  ),
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
  check (enabled = (disabled_reason is null)),
  check (enabled = (disabled_at is null)),
  check ((previous_sealed is null) = (previous_retires_at is null))
) with (fillfactor = 50);
create index webhook_endpoints_owner on webhook_endpoints (tenant_id, environment);
create index webhook_endpoints_alerted on webhook_endpoints (alerted_at) where alerted_at is not null;
create index webhook_endpoints_failing on webhook_endpoints (failing_since) where enabled and failing_since is not null;

-- A secret of its own for each environment. Null: the secret signs in both, as those of tenants from before this file do until they rotate.
alter table webhook_secrets add column environment text check (environment in ('test', 'live'));
drop trigger replace_change_version on webhook_secrets;
create constraint trigger replace_change_version after update on webhook_secrets
  deferrable initially deferred for each row
  when ((old.tenant_id, old.id, old.sealed, old.retires_at, old.environment)
    is distinct from (new.tenant_id, new.id, new.sealed, new.retires_at, new.environment))
  execute function replace_change_version();

alter table api_keys drop constraint api_keys_scopes_check;
alter table api_keys add constraint api_keys_scopes_check check (
  cardinality(scopes) > 0
  and scopes <@ array['verifications:create', 'verifications:read', 'verifications:delete', 'devices:manage', 'webhooks:manage']
);

-- One queue in two tables: `webhook_queue` has the events for the `webhook_url` of sessions, with an empty `endpoint_id`, and is all that
-- processes of the previous version know; `webhook_endpoint_queue` has those for endpoints. Workers use both as `webhook_events`.
alter table webhook_queue
  add column endpoint_id text not null default '',
  add column event_type  text;
create table webhook_events (like webhook_queue including defaults) partition by list (endpoint_id);
alter table webhook_events attach partition webhook_queue for values in ('');
create table webhook_endpoint_queue partition of webhook_events (
  primary key (session_id, endpoint_id),
  check (lease is null or not ready)
) default with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
create index webhook_endpoint_queue_ready on webhook_endpoint_queue (tenant_id, host, due_at) where ready;
create index webhook_endpoint_queue_waiting on webhook_endpoint_queue (due_at) where not ready;

-- The log, likewise in two tables.
alter table webhook_deliveries
  add column event_type text,
  add column url        text;
create table webhook_endpoint_deliveries (
  session_day  date not null,
  session_id   text not null,
  endpoint_id  text not null,
  attempt      integer not null,
  tenant_id    uuid not null,
  environment  text not null,
  attempted_at timestamptz not null,
  outcome      text not null check (outcome in ('delivered', 'failed', 'refused', 'timed_out', 'interrupted')),
  status       smallint,
  duration_ms  integer,
  error        text check (char_length(error) <= 100),
  event_type   text,
  url          text,
  primary key (session_day, session_id, endpoint_id, attempt)
) partition by range (session_day);
create index webhook_endpoint_deliveries_newest on webhook_endpoint_deliveries (tenant_id, environment, attempted_at desc);
insert into daily_tables (name) values ('webhook_endpoint_deliveries');

create view webhook_attempts as
  select session_day, session_id, '' as endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error,
    event_type, url
  from webhook_deliveries
  union all
  select session_day, session_id, endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error,
    event_type, url
  from webhook_endpoint_deliveries;

-- The beginning of what receivers answered. It may repeat claims, so it is kept no longer than the result, and 31 days at most.
create table webhook_responses (
  until_day   date not null,
  session_id  text not null,
  endpoint_id text not null,
  attempt     integer not null,
  tenant_id   uuid not null,
  body        text not null check (char_length(body) <= 2048),
  primary key (session_id, endpoint_id, attempt, until_day)
) partition by range (until_day);
insert into daily_tables (name, days_ahead) values ('webhook_responses', 39);
select make_partitions_ahead();

-- Requests to resend all events that failed since a time. Workers queue them in the order of their last attempt, some per second;
-- `reached_at` and `reached_id` are how far they have come. Attempts after `requested_at` do not count.
create table webhook_resends (
  id           uuid primary key default gen_random_uuid(),
  tenant_id    uuid not null references tenants on delete cascade,
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

-- As webhook_lanes, over both tables.
create function webhook_event_lanes(after_tenant uuid, after_host text, max_lanes integer)
  returns table (tenant_id uuid, host text)
  language plpgsql stable
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  as $$
begin
  tenant_id := after_tenant;
  host := after_host;
  for step in 1..max_lanes loop
    select lane.tenant_id, lane.host into tenant_id, host
    from webhook_events lane
    where lane.ready and (lane.tenant_id, lane.host) > (webhook_event_lanes.tenant_id, webhook_event_lanes.host)
    order by lane.tenant_id, lane.host
    limit 1;
    exit when not found;
    return next;
  end loop;
end $$;

-- As poll_webhooks, over both tables.
create function poll_webhook_events(after_tenant uuid, after_host text, max_lanes integer, max_due integer)
  returns table (tenant_id uuid, host text)
  language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off
  as $$
#variable_conflict use_column
declare
  polled_at constant timestamptz := service_now();
begin
  perform from webhook_events where not ready and due_at <= polled_at limit 1;
  if found then
    with due as materialized (
      select session_id, endpoint_id, lease is not null as interrupted
      from webhook_events
      where not ready and due_at <= polled_at
      order by due_at
      limit max_due
      for update skip locked
    ), interrupted as materialized (
      select queue.*
      from due
      join webhook_events queue on queue.session_id = due.session_id and queue.endpoint_id = due.endpoint_id
      where due.interrupted
    ), logged as (
      insert into webhook_deliveries
        (session_day, session_id, attempt, tenant_id, environment, attempted_at, outcome, event_type, url)
      select session_day, session_id, attempt, tenant_id, environment, polled_at, 'interrupted', event_type, url
      from interrupted
      where endpoint_id = ''
    ), logged_of_endpoints as (
      insert into webhook_endpoint_deliveries
        (session_day, session_id, endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, event_type, url)
      select session_day, session_id, endpoint_id, attempt, tenant_id, environment, polled_at, 'interrupted', event_type, url
      from interrupted
      where endpoint_id <> ''
    )
    update webhook_events queue set ready = true, lease = null
    from due
    where queue.session_id = due.session_id and queue.endpoint_id = due.endpoint_id;
  end if;
  return query select lane.tenant_id, lane.host from webhook_event_lanes(after_tenant, after_host, max_lanes) lane;
end $$;

-- As claim_and_lock_webhooks, over both tables. An event for an endpoint gets the endpoint's URL and secrets as they are now, and its
-- `endpoint_state`: 'deleted', 'disabled', 'moved' to another host, or null if it can be sent. Only what can be sent is locked.
create function claim_webhook_events(
  released text[], tenant_ids uuid[], hosts text[], counts integer[], lease_token uuid, lease_seconds integer)
  returns table (
    session_id text, endpoint_id text, session_day date, tenant_id uuid, environment text, url text, host text,
    forget_on_delivery boolean, attempt integer, failures integer, locked boolean, sealed text, endpoint_state text, now timestamptz)
  language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  claimed_at constant timestamptz := service_now();
begin
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_unlock_shared(webhook_hold_key(id)) from unnest(released) as id;
  return query
    with chosen as materialized (
      select oldest.session_id, oldest.endpoint_id, signing.test, signing.live
      from unnest(tenant_ids, hosts, counts) as lane (tenant_id, host, count)
      cross join lateral (
        select
          string_agg(encode(secret.sealed, 'base64'), ' ' order by secret.retires_at desc nulls first, secret.id desc)
            filter (where secret.environment is distinct from 'live') as test,
          string_agg(encode(secret.sealed, 'base64'), ' ' order by secret.retires_at desc nulls first, secret.id desc)
            filter (where secret.environment is distinct from 'test') as live
        from webhook_secrets secret
        where secret.tenant_id = lane.tenant_id and (secret.retires_at is null or secret.retires_at > claimed_at)
      ) signing
      cross join lateral (
        select waiting.session_id, waiting.endpoint_id
        from webhook_events waiting
        where waiting.ready and waiting.tenant_id = lane.tenant_id and waiting.host = lane.host
        order by waiting.due_at
        limit lane.count
        for update skip locked
      ) oldest
    ), claimed as (
      update webhook_events queue
      set ready = false, lease = lease_token, attempt = queue.attempt + 1, due_at = claimed_at + make_interval(secs => lease_seconds)
      from chosen
      where queue.session_id = chosen.session_id and queue.endpoint_id = chosen.endpoint_id
      returning queue.session_id, queue.endpoint_id, queue.session_day, queue.tenant_id, queue.environment, queue.url, queue.host,
        queue.forget_on_delivery, queue.attempt, queue.failures,
        case queue.environment when 'test' then chosen.test else chosen.live end as sealed
    ), described as materialized (
      select claimed.*, endpoint.url as endpoint_url, endpoint.host as endpoint_host,
        encode(endpoint.sealed, 'base64') || case
          when endpoint.previous_retires_at > claimed_at then ' ' || encode(endpoint.previous_sealed, 'base64') else '' end
          as endpoint_sealed,
        case
          when claimed.endpoint_id = '' then null
          when endpoint.id is null then 'deleted'
          when not endpoint.enabled then 'disabled'
          when endpoint.host <> claimed.host then 'moved'
        end as state
      from claimed
      left join lateral (
        select * from webhook_endpoints each
        where claimed.endpoint_id <> '' and each.id = claimed.endpoint_id and each.tenant_id = claimed.tenant_id
        limit 1
      ) endpoint on true
    )
    select d.session_id, d.endpoint_id, d.session_day, d.tenant_id, d.environment,
      case d.endpoint_id when '' then d.url else coalesce(d.endpoint_url, d.url) end,
      case d.endpoint_id when '' then d.host else coalesce(d.endpoint_host, d.host) end,
      d.forget_on_delivery, d.attempt, d.failures,
      case when d.state is null then pg_try_advisory_lock_shared(webhook_hold_key(d.session_id)) else false end,
      case d.endpoint_id when '' then d.sealed else d.endpoint_sealed end, d.state, claimed_at
    from described d;
end $$;

-- As record_webhook_attempts, over both tables, with the URL that each message was sent to and the beginning of the response. Endpoints
-- learn whether they fail; those of a batch are locked in order. `counts` is false for an attempt that says nothing about the endpoint.
create function record_webhook_event_attempts(
  session_ids text[], endpoint_ids text[], leases uuid[], urls text[], outcomes text[], statuses smallint[], durations_ms integer[],
  errors text[], waits_seconds float8[], responses text[], counts boolean[])
  returns table (session_id text, endpoint_id text)
  language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  recorded_at constant timestamptz := service_now();
  today constant date := service_day();
begin
  return query
    with finished as materialized (
      select queue.session_day, queue.session_id, queue.endpoint_id, queue.attempt, queue.tenant_id, queue.environment,
        queue.event_type, queue.forget_on_delivery, given.url, given.outcome, given.status, given.duration_ms, given.error,
        given.wait_seconds, given.response, given.counts,
        recorded_at - given.duration_ms * interval '1 millisecond' as attempted_at
      from unnest(session_ids, endpoint_ids, leases, urls, outcomes, statuses, durations_ms, errors, waits_seconds, responses, counts)
        as given (session_id, endpoint_id, lease, url, outcome, status, duration_ms, error, wait_seconds, response, counts)
      join webhook_events queue
        on queue.session_id = given.session_id and queue.endpoint_id = given.endpoint_id and queue.lease = given.lease
      for update of queue
    ), logged as (
      insert into webhook_deliveries
        (session_day, session_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error, event_type, url)
      select session_day, session_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error, event_type, url
      from finished
      where endpoint_id = ''
    ), logged_of_endpoints as (
      insert into webhook_endpoint_deliveries
        (session_day, session_id, endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error,
          event_type, url)
      select session_day, session_id, endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error,
        event_type, url
      from finished
      where endpoint_id <> ''
    ), answered as (
      insert into webhook_responses (until_day, session_id, endpoint_id, attempt, tenant_id, body)
      select kept.until_day, finished.session_id, finished.endpoint_id, finished.attempt, finished.tenant_id, finished.response
      from finished
      cross join lateral (
        select least(coalesce(session.purge_day, session.day + 31), today + 31) as until_day
        from verification_sessions session
        where session.day = finished.session_day and session.id = finished.session_id
        limit 1
      ) kept
      where finished.response is not null and not finished.forget_on_delivery and kept.until_day > today
        and to_regclass('webhook_responses' || to_char(kept.until_day, '_YYYYMMDD')) is not null
    ), done as (
      delete from webhook_events using finished
      where webhook_events.session_id = finished.session_id and webhook_events.endpoint_id = finished.endpoint_id
        and finished.wait_seconds is null
    ), waiting as (
      update webhook_events
      set lease = null, failures = failures + 1, due_at = recorded_at + make_interval(secs => finished.wait_seconds)
      from finished
      where webhook_events.session_id = finished.session_id and webhook_events.endpoint_id = finished.endpoint_id
        and finished.wait_seconds is not null
    ), judged as materialized (
      select endpoint.id, batch.delivered
      from (
        select endpoint_id, bool_or(outcome = 'delivered') as delivered
        from finished
        where endpoint_id <> '' and counts
        group by endpoint_id
      ) batch
      join webhook_endpoints endpoint on endpoint.id = batch.endpoint_id
      where case
        when batch.delivered then endpoint.failing_since is not null
        else endpoint.failing_since is null or endpoint.last_failed_at < recorded_at - interval '1 minute'
      end
      order by endpoint.id
      for update of endpoint
    ), judged_endpoints as (
      update webhook_endpoints endpoint
      set failing_since = case when not judged.delivered then coalesce(endpoint.failing_since, recorded_at) end,
        last_failed_at = case when judged.delivered then endpoint.last_failed_at else recorded_at end
      from judged
      where endpoint.id = judged.id
    )
    select finished.session_id, finished.endpoint_id from finished;
end $$;

-- As before, and with one event for each endpoint that wants it. An answer that is held back reads as expired once its code stops working:
-- that event is queued now, and is replaced if the code is redeemed. `queued`: there is something for the workers.
drop function record_answers(jsonb);
create function record_answers(answers jsonb) returns table (id text, queued boolean)
  language plpgsql
  set enable_seqscan = off
  set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  given wallet_answer[];
begin
  select array_agg(a order by a.id) into given from jsonb_populate_recordset(null::wallet_answer, answers) a;

  -- Every call takes the sessions in the same order, so that two calls never wait for each other.
  perform from unnest(given) g
  cross join lateral (select from verification_sessions s where s.day = g.day and s.id = g.id limit 1 for update) s;

  return query
    with recorded as (
      update verification_sessions s
      set status = g.status, responded_at = service_now(), seed = null, error = g.error,
        response_code_hash = g.response_code_hash, held = g.held, purge_day = service_day() + g.keep_days + 1
      from unnest(given) g
      where s.day = g.day and s.id = g.id and s.responded_at is null and s.expires_at > service_now()
      returning s.id, s.purge_day, redeemable_until(s.expires_at, s.responded_at) as redeemable_until
    ), kept as (
      insert into verification_results (purge_day, session_id, tenant_id, claims, credentials, forget_on_delivery)
      select r.purge_day, g.id, g.tenant_id, g.claims, g.credentials, g.forget_on_delivery
      from recorded r join unnest(given) g on g.id = r.id
      where r.purge_day is not null
    ), told as (
      insert into audit_inbox (tenant_id, action, actor, subject, detail)
      select g.tenant_id, case when g.held then 'verification.answered' else 'verification.' || g.status end, 'wallet', g.id,
        case when g.error is not null and not g.held then jsonb_build_object('code', g.error ->> 'code') end
      from recorded r join unnest(given) g on g.id = r.id
    ), offered as (
      insert into webhook_forwards (session_day, session_id, tenant_id, listener_id)
      select g.day, g.id, g.tenant_id, l.id
      from recorded r
      join unnest(given) g on g.id = r.id
      join webhook_listeners l on l.tenant_id = g.tenant_id and l.until > service_now()
      where g.environment = 'test' and not g.held
    ), queued as (
      insert into webhook_queue (session_id, session_day, tenant_id, environment, url, host, forget_on_delivery, attempt, event_type)
      select g.id, g.day, g.tenant_id, g.environment, g.webhook_url, g.webhook_host, g.forget_on_delivery, 0, 'verification.' || g.status
      from recorded r join unnest(given) g on g.id = r.id
      where g.webhook_url is not null and not g.held
      returning session_id
    ), queued_for_endpoints as (
      insert into webhook_endpoint_queue
        (session_id, endpoint_id, session_day, tenant_id, environment, url, host, forget_on_delivery, attempt, event_type, ready, due_at)
      select g.id, e.id, g.day, g.tenant_id, g.environment, e.url, e.host, g.forget_on_delivery, 0, occurred.event_type, not g.held,
        case when g.held then r.redeemable_until else service_now() end
      from recorded r
      join unnest(given) g on g.id = r.id
      cross join lateral (
        select case when g.held then 'verification.expired' else 'verification.' || g.status end as event_type
      ) occurred
      cross join lateral (
        select e.id, e.url, e.host from webhook_endpoints e
        where e.tenant_id = g.tenant_id and e.environment = g.environment and e.enabled and occurred.event_type = any(e.events)
        limit 100
      ) e
      returning session_id, ready
    )
    select r.id,
      exists (select from queued q where q.session_id = r.id)
        or exists (select from queued_for_endpoints q where q.session_id = r.id and q.ready)
    from recorded r;
end $$;

-- Destroys the secrets of up to `max_sessions` sessions that expired without an answer, and queues their events. A secret is destroyed
-- once, so there is one event for each endpoint. `expired` counts the sessions, `queued` the events.
create function expire_verifications(max_sessions integer) returns table (expired integer, queued integer)
  language plpgsql as $$
#variable_conflict use_column
declare
  swept_at constant timestamptz := service_now();
begin
  return query
    with expired as (
      update verification_sessions s set seed = null
      where (s.day, s.id) in (
        select day, id from verification_sessions
        where seed is not null and expires_at <= swept_at and day >= service_day() - 2
        limit max_sessions
        for update skip locked)
      returning s.day, s.id, s.tenant_id, s.environment
    ), queued as (
      insert into webhook_endpoint_queue
        (session_id, endpoint_id, session_day, tenant_id, environment, url, host, forget_on_delivery, attempt, event_type)
      select s.id, e.id, s.day, s.tenant_id, s.environment, e.url, e.host, false, 0, 'verification.expired'
      from expired s
      join webhook_endpoints e on e.tenant_id = s.tenant_id and e.environment = s.environment
      where e.enabled and 'verification.expired' = any(e.events)
      returning session_id
    )
    select (select count(*) from expired)::integer, (select count(*) from queued)::integer;
end $$;

-- As before, and with the events, attempts and responses of endpoints. What was sent to endpoints counts among the deliveries.
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
