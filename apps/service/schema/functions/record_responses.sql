-- Records the responses to different verifications in one transaction, each with everything that follows from it: the result, the
-- audit entry, the events for its receivers and for whoever listens. Returns the verifications of those that were recorded; of the
-- others another response was first, the verification expired, was cancelled or was erased, or its link was used up. Of a response that is held back nobody is told the
-- outcome before its code is redeemed: no webhook, no listener, and an audit entry that says only that there was a response.
create or replace function record_responses(responses jsonb) returns table (id text, queued boolean)
  language plpgsql
  set enable_seqscan = off
  set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  given  wallet_response[];
  linked text[];
  late   verification_sessions;
begin
  select array_agg(a order by a.id) into given from jsonb_populate_recordset(null::wallet_response, responses) a;

  -- Every call takes the verifications in the same order, so that two calls never wait for each other.
  select array_agg(g.id) filter (where s.link_id is not null and (g.status = 'completed' or g.held)) into linked
  from unnest(given) g
  cross join lateral (select s.link_id from verification_sessions s where s.day = g.day and s.id = g.id limit 1 for update) s;

  -- Of the verifications of a single-use link one completes; another that would is cancelled. A response that is held back uses the link
  -- whatever its outcome, because that must not show. Links are locked after verifications, and in the same order.
  if linked is not null then
    for late in
      select s.* from unnest(given) g
      join verification_sessions s on s.day = g.day and s.id = g.id
      where g.id = any (linked) and s.responded_at is null and s.seed is not null and s.expires_at > service_now()
      order by s.link_id, s.id
    loop
      if not use_link(late.link_id) then
        perform cancel_verification(late.day, late.id, late.tenant_id, late.environment, null, 'link', 'service', null);
      end if;
    end loop;
  end if;

  return query
    with recorded as (
      update verification_sessions s
      set status = g.status, responded_at = service_now(), seed = null, expected = null, error = g.error,
        response_code_hash = g.response_code_hash, held = g.held, channel = g.channel, purge_day = service_day() + g.keep_days + 1
      from unnest(given) g
      where s.day = g.day and s.id = g.id and s.responded_at is null and s.seed is not null and s.expires_at > service_now()
      returning s.id, s.device_id, s.link_id, s.purge_day, redeemable_until(s.expires_at, s.responded_at) as redeemable_until,
        s.created_at, s.responded_at
    ), kept as (
      insert into verification_results (purge_day, verification_id, tenant_id, claims, claim_issuers, credentials, forget_on_delivery)
      select r.purge_day, g.id, g.tenant_id, g.claims, g.claim_issuers, g.credentials, g.forget_on_delivery
      from recorded r join unnest(given) g on g.id = r.id
      where r.purge_day is not null
    ), receipted as (
      insert into verification_receipts (day, tenant_id, environment, verification_id, salt, body)
      select g.day, g.tenant_id, g.environment, g.id, g.receipt_salt,
        format('%s,"created_at":"%s","responded_at":"%s"}', left(g.receipt, -1),
          to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          to_char(r.responded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      from recorded r join unnest(given) g on g.id = r.id
      where g.receipt is not null
      returning verification_id, receipt_hash(salt, body) as hash
    ), told as (
      insert into audit_inbox (tenant_id, action, actor, subject, detail)
      select g.tenant_id, case when g.held then 'verification.responded' else 'verification.' || g.status end, 'wallet', g.id,
        nullif(jsonb_strip_nulls(jsonb_build_object(
          'code', case when not g.held then g.error ->> 'code' end,
          'channel', g.channel, 'device_id', case when g.channel is not null then r.device_id end,
          'receipt', case when not g.held then p.hash end)), '{}')
      from recorded r join unnest(given) g on g.id = r.id left join receipted p on p.verification_id = r.id
    ), mailed as (
      insert into link_results (tenant_id, environment, link_id, verification_id, status, at)
      select g.tenant_id, g.environment, l.id, g.id, g.status, service_now()
      from recorded r
      join unnest(given) g on g.id = r.id
      join verification_links l on l.id = r.link_id and l.mail_results
      where not g.held
    ), offered as (
      insert into webhook_forwards (verification_day, verification_id, tenant_id, listener_id)
      select g.day, g.id, g.tenant_id, l.id
      from recorded r
      join unnest(given) g on g.id = r.id
      join webhook_listeners l on l.tenant_id = g.tenant_id and l.until > service_now()
      where g.environment = 'test' and not g.held
    ), queued as (
      insert into webhook_events
        (verification_id, endpoint_id, verification_day, tenant_id, environment, url, host, forget_on_delivery, event_type, ready, due_at)
      select g.id, receiver.id, g.day, g.tenant_id, g.environment, receiver.url, receiver.host, g.forget_on_delivery,
        occurred.event_type, not g.held, case when g.held then r.redeemable_until else service_now() end
      from recorded r
      join unnest(given) g on g.id = r.id
      cross join lateral (
        select case when g.held then 'verification.expired' else 'verification.' || g.status end as event_type
      ) occurred
      cross join lateral (
        select '' as id, g.webhook_url as url, g.webhook_host as host where g.webhook_url is not null and not g.held
        union all (
          select e.id, e.url, e.host from webhook_endpoints e
          where e.tenant_id = g.tenant_id and e.environment = g.environment and e.enabled and occurred.event_type = any(e.events)
          limit 100
        )
      ) receiver
      returning verification_id, ready
    )
    select r.id, exists (select from queued q where q.verification_id = r.id and q.ready) from recorded r;
end $$;
