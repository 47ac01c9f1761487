-- Events that are still to be sent, one row to a session: written with the result it tells of, deleted with its last
-- attempt or by an erasure. A row is `ready` to be claimed, or waits until `due_at`: for its next attempt, or for the end
-- of the lease of whoever claimed it.
create table webhook_queue (
  session_id  text primary key,
  session_day date not null,
  tenant_id   uuid not null,
  environment text not null check (environment in ('test', 'live')),
  url         text not null check (char_length(url) <= 2048),
  host        text not null,
  ready       boolean not null default true,
  due_at      timestamptz not null default service_now(),
  lease       uuid,
  attempt     integer not null default 0 check (attempt >= 0),
  failures    integer not null default 0 check (failures >= 0),
  forget_on_delivery boolean not null default false,
  check (lease is null or not ready)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- A tenant's events to one host are a lane. Lanes are found by skipping from one to the next, so that a lane with a million
-- rows costs no more than one with a single row.
create index webhook_queue_ready on webhook_queue (tenant_id, host, due_at) where ready;
create index webhook_queue_waiting on webhook_queue (due_at) where not ready;

-- Every attempt that was made (HOOK-7). `error` is our own words, never the receiver's.
create table webhook_deliveries (
  session_day  date not null,
  session_id   text not null,
  attempt      integer not null,
  tenant_id    uuid not null,
  environment  text not null,
  attempted_at timestamptz not null,
  outcome      text not null check (outcome in ('delivered', 'failed', 'refused', 'timed_out', 'interrupted')),
  status       smallint,
  duration_ms  integer,
  error        text check (char_length(error) <= 100),
  primary key (session_day, session_id, attempt)
) partition by range (session_day);

create index webhook_deliveries_newest on webhook_deliveries (tenant_id, environment, attempted_at desc);

insert into daily_tables (name) values ('webhook_deliveries');
select make_partitions_ahead();

-- Results of a tenant that keeps them no longer than it takes to deliver them (RET-3). Fixed when they are written.
alter table verification_results add column forget_on_delivery boolean not null default false;

-- Held shared by whoever sends something of a session, from its last look at the session until the last byte has left,
-- and exclusively by its erasure: nothing leaves after the erasure has answered.
create function webhook_hold_key(session_id text) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('webhook ' || session_id, 0) $$;

-- The lanes with something ready after the given one, in order, at most `most`. Skips from lane to lane by the index; a
-- plan made while the queue was empty must not read it whole when it is full.
create function webhook_lanes(after_tenant uuid, after_host text, most integer)
  returns table (tenant_id uuid, host text)
  language plpgsql stable
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  as $$
begin
  tenant_id := after_tenant;
  host := after_host;
  for step in 1..most loop
    select lane.tenant_id, lane.host into tenant_id, host
    from webhook_queue lane
    where lane.ready and (lane.tenant_id, lane.host) > (webhook_lanes.tenant_id, webhook_lanes.host)
    order by lane.tenant_id, lane.host
    limit 1;
    exit when not found;
    return next;
  end loop;
end $$;

-- Claims of each lane as many events as it has room for, oldest first, for as long as the lease lasts. Whoever claims at
-- the same moment passes over them.
create function claim_webhooks(tenant_ids uuid[], hosts text[], rooms integer[], lease_token uuid, lease_seconds integer)
  returns setof webhook_queue
  language sql volatile
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  as $$
    update webhook_queue
    set ready = false, lease = lease_token, attempt = webhook_queue.attempt + 1,
      due_at = service_now() + make_interval(secs => lease_seconds)
    from (
      select oldest.session_id
      from unnest(tenant_ids, hosts, rooms) as lane (tenant_id, host, room)
      cross join lateral (
        select waiting.session_id
        from webhook_queue waiting
        where waiting.ready and waiting.tenant_id = lane.tenant_id and waiting.host = lane.host
        order by waiting.due_at
        limit lane.room
        for update skip locked
      ) oldest
    ) chosen
    where webhook_queue.session_id = chosen.session_id
    returning webhook_queue.*
  $$;

-- As before, and with what was sent of it and what is still to be sent. It waits for a message of this session that is just
-- leaving; none leaves after it. What was enqueued by a result that is just being written is seen after the session's row.
drop function erase_verification(uuid, text, date, text, text, text);
create function erase_verification(of_tenant uuid, in_environment text, of_day date, of_id text, by_actor text, by_name text)
  returns table (sessions integer, results integer, deliveries integer, erased_at timestamptz)
  language plpgsql as $$
declare
  gone            verification_sessions;
  gone_results    integer;
  gone_deliveries integer;
begin
  perform from verification_sessions s
  where s.day = of_day and s.id = of_id and s.tenant_id = of_tenant and s.environment = in_environment;
  if not found then return; end if;
  perform pg_advisory_xact_lock(webhook_hold_key(of_id));

  delete from verification_sessions s
  where s.day = of_day and s.id = of_id and s.tenant_id = of_tenant and s.environment = in_environment
  returning s.* into gone;
  if gone.id is null then return; end if;

  delete from webhook_queue q where q.session_id = of_id;
  delete from verification_results r where r.purge_day = gone.purge_day and r.session_id = of_id;
  get diagnostics gone_results = row_count;
  delete from webhook_deliveries d where d.session_day = of_day and d.session_id = of_id;
  get diagnostics gone_deliveries = row_count;
  update idempotency_keys i set answer = null where i.day = of_day and i.key_hash = gone.idempotency_hash;
  update audit_inbox a set purpose = null, actor_name = null, subject = null
  where a.tenant_id = of_tenant and a.subject = of_id;
  insert into audit_inbox (tenant_id, at, action, actor, actor_name)
  values (of_tenant, service_now(), 'verification.erased', by_actor, by_name);
  return query select 1, gone_results, gone_deliveries, service_now();
end $$;
