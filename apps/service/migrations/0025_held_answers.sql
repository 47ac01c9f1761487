-- Of an answer that is held back nobody is told the outcome before its code is redeemed: no webhook, no listener, and an audit
-- entry that says only that there was an answer. The rest is as before.
create or replace function record_answers(answers jsonb) returns table (id text)
  language plpgsql
  -- As for create_verifications: the plans are kept, and must not scan a day that has filled up since.
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
      returning s.id, s.purge_day
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
      insert into webhook_queue (session_id, session_day, tenant_id, environment, url, host, forget_on_delivery, attempt)
      select g.id, g.day, g.tenant_id, g.environment, g.webhook_url, g.webhook_host, g.forget_on_delivery, 0
      from recorded r join unnest(given) g on g.id = r.id
      where g.webhook_url is not null and not g.held
    )
    select r.id from recorded r;
end $$;

-- Until when the code of an answer that is held back works: a browser may take its time to come back from the wallet.
create function redeemable_until(expires_at timestamptz, responded_at timestamptz) returns timestamptz
  language sql immutable
  as $$ select greatest(expires_at, responded_at + interval '5 minutes') $$;

-- The status that anyone is shown. An answer that is held back looks like none, and lapses when its code stops working.
create function shown_status(status text, withheld boolean, expires_at timestamptz, responded_at timestamptz) returns text
  language sql stable
  as $$
    select case
      when withheld then case when redeemable_until(expires_at, responded_at) <= service_now() then 'expired' else 'pending' end
      when status = 'pending' and expires_at <= service_now() then 'expired'
      else status
    end $$;
