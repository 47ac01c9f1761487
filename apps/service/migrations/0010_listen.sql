-- Developers who have the outcomes of test verifications forwarded to their own machine (`vidimus listen`), each for as long
-- as it renews its lease.
create table webhook_listeners (
  tenant_id uuid not null references tenants,
  id        uuid not null,
  until     timestamptz not null,
  primary key (tenant_id, id)
);

-- What listeners are told, a row for each outcome and listener: written with the result, sent while `sent_at` is null, and from
-- then on the log of a forward. No delivery: it neither counts as an attempt nor ends one. `error` is our own words.
create table webhook_forwards (
  session_day date not null,
  id          uuid not null default gen_random_uuid(),
  session_id  text not null,
  tenant_id   uuid not null,
  listener_id uuid not null,
  offered_at  timestamptz not null default service_now(),
  sent_at     timestamptz,
  outcome     text check (outcome in ('delivered', 'failed')),
  status      smallint,
  duration_ms integer,
  error       text check (char_length(error) <= 100),
  primary key (session_day, id)
) partition by range (session_day);

create index webhook_forwards_waiting on webhook_forwards (tenant_id, listener_id, offered_at) where sent_at is null;
create index webhook_forwards_newest on webhook_forwards (tenant_id, sent_at desc) where sent_at is not null;
create index webhook_forwards_session on webhook_forwards (session_id);

insert into daily_tables (name) values ('webhook_forwards');
select make_partitions_ahead();

-- An erasure takes them along, whatever else it takes. It holds the session's webhook lock, so nothing is being sent meanwhile.
create function forget_forwards() returns trigger language plpgsql as $$
begin
  delete from webhook_forwards where session_day = old.day and session_id = old.id;
  return null;
end $$;

create trigger forget_forwards after delete on verification_sessions
  for each row when (old.environment = 'test') execute function forget_forwards();
