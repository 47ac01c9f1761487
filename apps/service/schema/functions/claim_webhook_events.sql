-- Claims the oldest ready events of some queues and locks their verifications against erasure, after releasing other locks. An event for an endpoint gets the endpoint's URL and secrets as they are now, and its
-- `endpoint_state`: 'deleted', 'disabled', 'moved' to another host, or null if it can be sent. Only what can be sent is locked, and
-- only verifications. An alert gets the secrets of the tenant's alert webhook; a mail its recipient and content, and three times as long,
-- because a mail server may be slow.
create or replace function claim_webhook_events(
  released text[], tenant_ids uuid[], hosts text[], counts integer[], lease_token uuid, lease_seconds integer)
  returns table (
    verification_id text, endpoint_id text, verification_day date, tenant_id uuid, environment text, url text, host text,
    forget_on_delivery boolean, attempt integer, failures integer, kind text, payload jsonb, locked boolean, sealed text,
    endpoint_state text, now timestamptz)
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
      select oldest.verification_id, oldest.endpoint_id, signing.test, signing.live
      from unnest(tenant_ids, hosts, counts) as queue (tenant_id, host, count)
      cross join lateral (
        select
          string_agg(encode(secret.sealed, 'base64'), ' ' order by secret.retires_at desc nulls first, secret.id desc)
            filter (where secret.environment is distinct from 'live') as test,
          string_agg(encode(secret.sealed, 'base64'), ' ' order by secret.retires_at desc nulls first, secret.id desc)
            filter (where secret.environment is distinct from 'test') as live
        from webhook_secrets secret
        where secret.tenant_id = queue.tenant_id and (secret.retires_at is null or secret.retires_at > claimed_at)
      ) signing
      cross join lateral (
        select waiting.verification_id, waiting.endpoint_id
        from webhook_events waiting
        where waiting.ready and waiting.tenant_id = queue.tenant_id and waiting.host = queue.host
        order by waiting.due_at
        limit queue.count
        for update skip locked
      ) oldest
    ), claimed as (
      update webhook_events queue
      set ready = false, lease = lease_token, attempt = queue.attempt + 1, 
        due_at = claimed_at + make_interval(secs => case queue.kind when 'mail' then 3 else 1 end * lease_seconds)
      from chosen
      where queue.verification_id = chosen.verification_id and queue.endpoint_id = chosen.endpoint_id
      returning queue.verification_id, queue.endpoint_id, queue.verification_day, queue.tenant_id, queue.environment, queue.url, queue.host,
        queue.forget_on_delivery, queue.attempt, queue.failures, queue.kind, queue.payload,
        case queue.environment when 'test' then chosen.test else chosen.live end as sealed
    ), described as materialized (
      select claimed.*, endpoint.url as endpoint_url, endpoint.host as endpoint_host,
        encode(endpoint.sealed, 'base64') || case
          when endpoint.previous_retires_at > claimed_at then ' ' || encode(endpoint.previous_sealed, 'base64') else '' end
          as endpoint_sealed,
        encode(alerts.sealed, 'base64') || case
          when alerts.previous_retires_at > claimed_at then ' ' || encode(alerts.previous_sealed, 'base64') else '' end
          as alert_sealed,
        encode(mail.sealed, 'base64') as mail_sealed,
        jsonb_build_object('recipient', mail.recipient, 'expired', mail.expires_at <= claimed_at) as mail_payload,
        case
          when claimed.kind = 'alert' and alerts.tenant_id is null then 'deleted'
          when claimed.kind = 'mail' and mail.sealed is null then 'deleted'
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
      left join lateral (
        select * from alert_webhooks each
        where claimed.kind = 'alert' and each.tenant_id = claimed.tenant_id
        limit 1
      ) alerts on true
      left join lateral (
        select * from mails each
        where claimed.kind = 'mail' and each.id = case claimed.kind when 'mail' then claimed.verification_id::uuid end
        limit 1
      ) mail on true
    )
    select d.verification_id, d.endpoint_id, d.verification_day, d.tenant_id, d.environment,
      case d.endpoint_id when '' then d.url else coalesce(d.endpoint_url, d.url) end,
      case d.endpoint_id when '' then d.host else coalesce(d.endpoint_host, d.host) end,
      d.forget_on_delivery, d.attempt, d.failures, d.kind,
      case d.kind when 'mail' then d.mail_payload else d.payload end,
      case when d.state is null and d.kind = 'verification'
        then pg_try_advisory_lock_shared(webhook_hold_key(d.verification_id)) else false end,
      case when d.kind = 'alert' then d.alert_sealed when d.kind = 'mail' then d.mail_sealed when d.endpoint_id = '' then d.sealed else d.endpoint_sealed end, d.state, claimed_at
    from described d;
end $$;
