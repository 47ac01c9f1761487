-- Deliveries in batches. These are functions because PostgreSQL keeps the plans of a PL/pgSQL function for as long as the
-- connection lives. It plans a statement with arrays, and the body of an SQL function, on every call, which took longer than
-- running them. The functions of earlier versions stay until no process calls them.

-- Releases the locks of sessions whose messages were sent; claims up to `counts` ready events of each lane, oldest first, for as
-- long as the lease lasts; and locks the session of each against its erasure. Locks belong to the connection. `locked` is false
-- while the session is being erased. Read the session in a later statement: this one may still see it after its erasure.
-- `sealed` are the tenant's active secrets in base64, newest first, separated by
-- spaces: a text is parsed faster than an array.
create function claim_and_lock_webhooks(
  released text[], tenant_ids uuid[], hosts text[], counts integer[], lease_token uuid, lease_seconds integer)
  returns table (
    session_id text, session_day date, tenant_id uuid, environment text, url text, host text, forget_on_delivery boolean,
    attempt integer, failures integer, locked boolean, sealed text, now timestamptz)
  language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  claimed_at constant timestamptz := service_now();
begin
  -- Not flushed to disk: if PostgreSQL crashes, a lost claim only leaves the events ready.
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_unlock_shared(webhook_hold_key(id)) from unnest(released) as id;
  return query
    with chosen as materialized (
      select oldest.session_id, signing.sealed
      from unnest(tenant_ids, hosts, counts) as lane (tenant_id, host, count)
      cross join lateral (
        select string_agg(encode(secret.sealed, 'base64'), ' ' order by secret.retires_at desc nulls first) as sealed
        from webhook_secrets secret
        where secret.tenant_id = lane.tenant_id and (secret.retires_at is null or secret.retires_at > service_now())
      ) signing
      cross join lateral (
        select waiting.session_id
        from webhook_queue waiting
        where waiting.ready and waiting.tenant_id = lane.tenant_id and waiting.host = lane.host
        order by waiting.due_at
        limit lane.count
        for update skip locked
      ) oldest
    )
    update webhook_queue queue
    set ready = false, lease = lease_token, attempt = queue.attempt + 1, due_at = claimed_at + make_interval(secs => lease_seconds)
    from chosen
    where queue.session_id = chosen.session_id
    returning queue.session_id, queue.session_day, queue.tenant_id, queue.environment, queue.url, queue.host,
      queue.forget_on_delivery, queue.attempt, queue.failures,
      pg_try_advisory_lock_shared(webhook_hold_key(queue.session_id)), chosen.sealed, claimed_at;
end $$;

-- Logs finished attempts and schedules the next ones where the lease still matches. Returns the sessions it recorded.
create function record_webhook_attempts(
  session_ids text[], leases uuid[], outcomes text[], statuses smallint[], durations_ms integer[], errors text[],
  waits_seconds float8[])
  returns table (session_id text)
  language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
begin
  return query
    with finished as materialized (
      select queue.session_day, queue.session_id, queue.attempt, queue.tenant_id, queue.environment,
        given.outcome, given.status, given.duration_ms, given.error, given.wait_seconds
      from unnest(session_ids, leases, outcomes, statuses, durations_ms, errors, waits_seconds)
        as given (session_id, lease, outcome, status, duration_ms, error, wait_seconds)
      join webhook_queue queue on queue.session_id = given.session_id and queue.lease = given.lease
      for update of queue
    ), logged as (
      insert into webhook_deliveries
        (session_day, session_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error)
      select session_day, session_id, attempt, tenant_id, environment,
        service_now() - duration_ms * interval '1 millisecond', outcome, status, duration_ms, error
      from finished
    ), done as (
      delete from webhook_queue using finished
      where webhook_queue.session_id = finished.session_id and finished.wait_seconds is null
    ), waiting as (
      update webhook_queue
      set lease = null, failures = failures + 1, due_at = service_now() + make_interval(secs => finished.wait_seconds)
      from finished
      where webhook_queue.session_id = finished.session_id and finished.wait_seconds is not null
    )
    select finished.session_id from finished;
end $$;

-- Makes up to `max_due` due events ready, and returns up to `max_lanes` lanes with ready events that follow the given one. An
-- expired lease means that a sender died: its attempt is logged as interrupted, because it may or may not have reached the
-- receiver. Writes only if something is due, so that polling an idle queue needs no transaction id.
create function poll_webhooks(after_tenant uuid, after_host text, max_lanes integer, max_due integer)
  returns table (tenant_id uuid, host text)
  language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off
  as $$
#variable_conflict use_column
declare
  -- A constant, because an index cannot be searched for the result of a volatile function.
  polled_at constant timestamptz := service_now();
begin
  perform from webhook_queue where not ready and due_at <= polled_at limit 1;
  if found then
    with due as materialized (
      select session_id, lease is not null as interrupted
      from webhook_queue
      where not ready and due_at <= polled_at
      order by due_at
      limit max_due
      for update skip locked
    ), logged as (
      insert into webhook_deliveries
        (session_day, session_id, attempt, tenant_id, environment, attempted_at, outcome)
      select queue.session_day, queue.session_id, queue.attempt, queue.tenant_id, queue.environment, polled_at, 'interrupted'
      from due
      join webhook_queue queue on queue.session_id = due.session_id
      where due.interrupted
    )
    update webhook_queue queue set ready = true, lease = null
    from due
    where queue.session_id = due.session_id;
  end if;
  return query select lane.tenant_id, lane.host from webhook_lanes(after_tenant, after_host, max_lanes) lane;
end $$;
