-- The log of this cell: the name it signs under, the sealed key that signs, and the newest signed checkpoint.
create table audit_log (
  is_only    boolean primary key default true check (is_only),
  origin     text not null,
  sealed_key bytea not null,
  checkpoint text
);

-- Where each tenant's chain stands, and where it stood at the last tick. A sequencer moves the one, a tick the other.
create table audit_chains (
  tenant_id   uuid primary key,
  day         date not null,
  seq         bigint not null check (seq >= 0),
  link        bytea not null check (octet_length(link) = 32),
  signed_seq  bigint not null default 0,
  signed_link bytea check (octet_length(signed_link) = 32),
  check (signed_seq <= seq)
) with (fillfactor = 50);
create index on audit_chains (tenant_id) where seq > signed_seq;

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
insert into daily_tables (name) values ('audit_entries');

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
create index on audit_texts (tenant_id, subject) where subject is not null;
insert into daily_tables (name) values ('audit_texts');

-- The leaves of the cell's log, and the heads that were new in each. place is the head's in the tree of new heads.
create table audit_ticks (
  index           bigint primary key,
  at              timestamptz not null,
  heads_count     integer not null,
  heads_root      bytea not null,
  new_heads_count integer not null,
  new_heads_root  bytea not null
);

create table audit_heads (
  day       date not null,
  tick      bigint not null,
  place     integer not null,
  tenant_id uuid not null,
  seq       bigint not null,
  link      bytea not null,
  primary key (tick, place, day)
) partition by range (day);
create index on audit_heads (tenant_id, seq);
insert into daily_tables (name) values ('audit_heads');

-- Finished inner nodes of the log, of every eighth height. They never change.
create table audit_nodes (
  height smallint not null,
  index  bigint not null,
  hash   bytea not null check (octet_length(hash) = 32),
  primary key (height, index)
);

-- Removes the texts that tell of a verification, in its chain and on the way there, and returns the entries of the chain
-- that lost theirs; the erasure's own entry must name them, or the chain reads as tampered with. The inbox comes first: a
-- sequencer that holds an entry is waited for, and its texts are seen by the statement after. since is a day before which
-- there can be none.
create function erase_audit_texts(of_tenant uuid, of_subject text, since date default '-infinity') returns bigint[]
  language plpgsql as $$
declare
  removed bigint[];
begin
  update audit_inbox i set purpose = null, actor_name = null, subject = null
  where i.tenant_id = of_tenant and i.subject = of_subject;
  with gone as (
    delete from audit_texts t
    where t.tenant_id = of_tenant and t.subject = of_subject and t.day >= since
    returning t.seq
  )
  select coalesce(array_agg(gone.seq order by gone.seq), '{}') into removed from gone;
  return removed;
end $$;

-- As before, and with the texts that the audit chain holds of it; the erasure's entry names what it took from the chain.
create or replace function erase_verification(of_tenant uuid, in_environment text, of_day date, of_id text, by_actor text, by_name text)
  returns table (sessions integer, results integer, deliveries integer, erased_at timestamptz)
  language plpgsql as $$
declare
  gone            verification_sessions;
  gone_results    integer;
  gone_deliveries integer;
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

  delete from webhook_queue q where q.session_id = of_id;
  delete from verification_results r where r.purge_day = gone.purge_day and r.session_id = of_id;
  get diagnostics gone_results = row_count;
  delete from webhook_deliveries d where d.session_day = of_day and d.session_id = of_id;
  get diagnostics gone_deliveries = row_count;
  update idempotency_keys i set answer = null where i.day = of_day and i.key_hash = gone.idempotency_hash;
  removed := erase_audit_texts(of_tenant, of_id, of_day);
  insert into audit_inbox (tenant_id, at, action, actor, actor_name, detail)
  values (of_tenant, service_now(), 'verification.erased', by_actor, by_name,
    jsonb_build_object('removed', to_jsonb(removed)));
  return query select 1, gone_results, gone_deliveries, service_now();
end $$;

select make_partitions_ahead();
