-- Logs finished attempts, with the URL that each message was sent to and the beginning of the response, and schedules the next ones
-- where the lease still matches; those of alerts are not logged. Endpoints and hosts of `webhook_url`s learn whether they fail; of a
-- tenant's hosts, at most `max_hosts` are watched. The events, endpoints and hosts of a batch are locked in order. `counts` is false for an attempt that says nothing about the endpoint.
create or replace function record_webhook_event_attempts(
  verification_ids text[], endpoint_ids text[], leases uuid[], urls text[], outcomes text[], statuses smallint[], durations_ms integer[],
  errors text[], waits_seconds float8[], responses text[], counts boolean[],
  max_hosts integer)
  returns table (verification_id text, endpoint_id text)
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
      select queue.verification_day, queue.verification_id, queue.endpoint_id, queue.attempt, queue.tenant_id, queue.environment,
        queue.host, queue.event_type, queue.forget_on_delivery, queue.kind, given.url, given.outcome, given.status, given.duration_ms, given.error,
        given.wait_seconds, given.response, given.counts,
        recorded_at - given.duration_ms * interval '1 millisecond' as attempted_at
      from unnest(verification_ids, endpoint_ids, leases, urls, outcomes, statuses, durations_ms, errors, waits_seconds, responses, counts)
        as given (verification_id, endpoint_id, lease, url, outcome, status, duration_ms, error, wait_seconds, response, counts)
      join webhook_events queue
        on queue.verification_id = given.verification_id and queue.endpoint_id = given.endpoint_id and queue.lease = given.lease
      order by queue.verification_id, queue.endpoint_id
      for update of queue
    ), logged as (
      insert into webhook_deliveries
        (verification_day, verification_id, endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error,
          event_type, url)
      select verification_day, verification_id, endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error,
        event_type, url
      from finished
      where kind = 'verification'
    ), responded as (
      insert into webhook_responses (until_day, verification_id, endpoint_id, attempt, tenant_id, body)
      select kept.until_day, finished.verification_id, finished.endpoint_id, finished.attempt, finished.tenant_id, finished.response
      from finished
      cross join lateral (
        select least(coalesce(verification.purge_day, verification.day + 31), today + 31) as until_day
        from verification_sessions verification
        where verification.day = finished.verification_day and verification.id = finished.verification_id
        limit 1
      ) kept
      where finished.response is not null and not finished.forget_on_delivery and kept.until_day > today
        and to_regclass('webhook_responses' || to_char(kept.until_day, '_YYYYMMDD')) is not null
    ), done as (
      delete from webhook_events using finished
      where webhook_events.verification_id = finished.verification_id and webhook_events.endpoint_id = finished.endpoint_id
        and finished.wait_seconds is null
    ), waiting as (
      update webhook_events
      set lease = null, failures = failures + 1, due_at = recorded_at + make_interval(secs => finished.wait_seconds)
      from finished
      where webhook_events.verification_id = finished.verification_id and webhook_events.endpoint_id = finished.endpoint_id
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
    ), judged_hosts as materialized (
      select batch.*, known.host is null as is_new, known.failing_since, known.last_failed_at,
        row_number() over (partition by batch.tenant_id, known.host is null and not batch.delivered) as place
      from (
        select tenant_id, environment, host, bool_or(outcome = 'delivered') as delivered
        from finished
        where endpoint_id = '' and kind = 'verification' and counts
        group by tenant_id, environment, host
      ) batch
      left join failing_webhook_hosts known
        on known.tenant_id = batch.tenant_id and known.environment = batch.environment and known.host = batch.host
    ), recorded_hosts as (
      insert into failing_webhook_hosts as watched (tenant_id, environment, host, failing_since, last_failed_at)
      select tenant_id, environment, host, case when not delivered then recorded_at end, recorded_at
      from judged_hosts judged
      where case
        when delivered then failing_since is not null
        when is_new then place + (select count(*) from failing_webhook_hosts other where other.tenant_id = judged.tenant_id) <= max_hosts
        else failing_since is null or last_failed_at < recorded_at - interval '1 minute'
      end
      order by tenant_id, environment, host
      on conflict on constraint failing_webhook_hosts_pkey do update
      set failing_since = case when excluded.failing_since is not null then coalesce(watched.failing_since, excluded.failing_since) end,
        last_failed_at = case when excluded.failing_since is null then watched.last_failed_at else excluded.last_failed_at end
    )
    select finished.verification_id, finished.endpoint_id from finished;
end $$;
