-- Indexes the metadata of a tenant's oldest verifications that are not indexed yet, at most so many. Returns how many it has read. None that
-- becomes visible later is older: created_at increases for a tenant, and its usage is locked until a creation commits.
create or replace function index_metadata(of_tenant uuid, max_verifications integer) returns integer
  language plpgsql as $$
declare
  usage    tenant_usage;
  until    timestamptz;
  last_at  timestamptz;
  used_day date;
  indexed  integer;
  total    integer := 0;
begin
  perform pg_advisory_xact_lock(metadata_lock(of_tenant));
  select * into usage from tenant_usage u where u.tenant_id = of_tenant;
  select m.indexed_until into until from metadata_marks m where m.tenant_id = of_tenant;
  for used_day in
    select d.day from (
      select u.day from tenant_usage u where u.tenant_id = of_tenant and u.used > 0
      union
      select u.day from usage_days u where u.tenant_id = of_tenant
    ) as d
    where until is null or d.day >= (until at time zone 'UTC')::date
    order by d.day
    limit 1000
  loop
    if to_regclass('verification_metadata' || to_char(used_day, '_YYYYMMDD')) is null then
      perform make_partitions('verification_metadata', used_day, used_day);
    end if;
    execute format($statement$
      with oldest as materialized (
        select s.* from unnest('{test,live}'::text[]) as e (environment)
        cross join lateral (
          select s.created_at, s.environment, s.metadata from verification_sessions s
          where s.day = %1$L and s.tenant_id = $1 and s.environment = e.environment and s.created_at > $2
          order by s.created_at
          limit $3
        ) s
        order by s.created_at
        limit $3
      ), stored as (
        insert into verification_metadata (day, tenant_id, hash, created_at)
        select distinct %1$L::date, $1, metadata_hash(o.environment, given.value), o.created_at
        from oldest o cross join lateral jsonb_each_text(o.metadata) as given
      )
      select count(*), max(created_at) from oldest $statement$, used_day)
    into indexed, last_at using of_tenant, coalesce(until, '-infinity'), max_verifications - total;
    total := total + indexed;
    until := coalesce(last_at, until);
    exit when total >= max_verifications;
  end loop;
  if total < max_verifications then
    until := greatest(until, usage.last_created_at);
  else
    -- More may follow: the tenant stays due.
    usage.day := '-infinity';
  end if;
  insert into metadata_marks as known (tenant_id, indexed_until, day, used)
  values (of_tenant, until, usage.day, usage.used)
  on conflict (tenant_id) do update
  set indexed_until = excluded.indexed_until, day = excluded.day, used = excluded.used;
  return total;
end $$;
