-- A tenant that moves to another cell. In the cell that it leaves, one row for each move, also after it. The column is not named tenant_id:
-- the row must outlive the rows of the tenant.
create table tenant_moves (
  tenant     uuid primary key,
  to_cell    text not null check (to_cell ~ '^[0-9A-Za-z]$'),
  -- draining: no webhook or mail is claimed. frozen: nothing changes. moved: the other cell has the tenant. finishing: rows are being deleted.
  stage      text not null check (stage in ('draining', 'frozen', 'moved', 'finishing', 'finished')),
  started_at timestamptz not null default service_now(),
  frozen_at  timestamptz,
  moved_at   timestamptz
);

-- What a router needs to find the cell of a moved tenant: a hash of a key or token, the first characters of a device's tokens, a session id.
create table moved_routes (
  route    text primary key,
  tenant   uuid not null,
  cell     text not null,
  -- Null: as long as the row exists.
  until_at timestamptz
);
create index moved_routes_tenant on moved_routes (tenant);

-- In the cell to which a tenant moved: the cell whose key hashes its idempotency keys, which cannot be hashed again.
alter table tenants add column hashing_cell text check (hashing_cell ~ '^[0-9A-Za-z]$');

-- Hashing keys of the cells from which tenants moved here.
alter table keyring add column cell text check (cell ~ '^[0-9A-Za-z]$');
alter table keyring drop constraint keyring_purpose_check;
alter table keyring add constraint keyring_purpose_check
  check (purpose in ('mac', 'seal', 'carried_mac') and (purpose = 'carried_mac') = (cell is not null));
create unique index keyring_cell on keyring (cell) where cell is not null;

-- The tables whose rows belong to a tenant, parents of partitions instead of partitions.
create function tenant_tables() returns table (name text)
  language sql stable as $$
    select c.relname::text
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
    order by 1
  $$;

-- The trigger of every table with rows of tenants, enabled only during a move. What a caller would be told is refused; what runs in the
-- background, or records a use, changes nothing and finds its row again in the other cell.
create function hold_moving_tenant() returns trigger
  language plpgsql as $$
declare
  target    constant text := tg_argv[0];
  of_tenant uuid;
  held      text;
  unchanged record;
begin
  if target = 'tenants' then
    of_tenant := case tg_op when 'DELETE' then old.id else new.id end;
  else
    of_tenant := case tg_op when 'DELETE' then old.tenant_id else new.tenant_id end;
  end if;
  if tg_op = 'DELETE' then unchanged := old; else unchanged := new; end if;
  if of_tenant is null then return unchanged; end if;
  select m.stage into held from tenant_moves m where m.tenant = of_tenant;
  if held is null or held = 'finished' then return unchanged; end if;

  if held = 'draining' then
    -- Only claims are held: an attempt in progress still records its outcome.
    if tg_op = 'UPDATE' then
      if target = 'webhook_events' then
        if new.lease is not null and new.lease is distinct from old.lease then return null; end if;
      elsif target in ('mail_queue', 'alert_webhook_queue') then
        if new.attempts > old.attempts then return null; end if;
      end if;
    end if;
    return unchanged;
  end if;

  -- What was appended before is still chained.
  if target = 'audit_inbox' and tg_op <> 'INSERT' then return unchanged; end if;
  if held = 'finishing' and (tg_op = 'DELETE' or target in ('audit_inbox', 'access_certificates', 'erased_outcomes')) then return unchanged; end if;

  if target in ('request_log', 'mail_queue', 'alert_webhook_queue', 'alert_events', 'alert_rates') then return null; end if;
  if tg_op = 'INSERT' and target in ('webhook_deliveries', 'webhook_endpoint_deliveries') then return null; end if;
  if tg_op = 'UPDATE' then
    if target = 'webhook_events' then return null; end if;
    if target = 'verification_sessions' then
      -- The sweep of expired sessions, and a wallet that fetches its request.
      if new.seed is null and new.status = 'pending' then return null; end if;
      if to_jsonb(new) - '{fetches,first_fetched_at}'::text[] = to_jsonb(old) - '{fetches,first_fetched_at}'::text[] then
        return null;
      end if;
    elsif target = 'api_keys' then
      if to_jsonb(new) - 'last_used_at' = to_jsonb(old) - 'last_used_at' then return null; end if;
    elsif target in ('devices', 'members') then
      if to_jsonb(new) - 'last_seen_at' = to_jsonb(old) - 'last_seen_at' then return null; end if;
    elsif target = 'member_sessions' then
      if to_jsonb(new) - 'seen_at' = to_jsonb(old) - 'seen_at' then return null; end if;
    end if;
  end if;
  raise exception 'tenant % is being moved to another cell', of_tenant using errcode = 'VM001';
end $$;

-- Enables or disables the trigger of one table. The caller commits after each table, so that none is locked for long.
create function hold_tenant_table(target text, enabled boolean) returns void
  language plpgsql as $$
begin
  if exists (select from pg_trigger where tgrelid = to_regclass(target) and tgname = 'hold_moving_tenant') then
    execute format('alter table %I %s trigger hold_moving_tenant', target, case when enabled then 'enable' else 'disable' end);
  elsif enabled then
    execute format(
      'create trigger hold_moving_tenant before insert or update or delete on %I for each row execute function hold_moving_tenant(%L)',
      target, target);
  end if;
end $$;

-- Opens a cursor over a tenant's rows of a table, each as JSON.
create function open_tenant_rows(target text, of_tenant uuid) returns void
  language plpgsql as $$
declare
  tenant_rows constant refcursor := 'tenant_rows';
begin
  open tenant_rows no scroll for execute
    format('select to_jsonb(t)::text as row from %I t where %I = $1', target, case target when 'tenants' then 'id' else 'tenant_id' end)
    using of_tenant;
end $$;

-- The columns whose values are drawn from a sequence: another cell draws its own.
create function drawn_columns(target text) returns text[]
  language sql stable as $$
    select coalesce(array_agg(a.attname::text), '{}')
    from pg_attribute a
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = to_regclass(target) and a.attnum > 0 and not a.attisdropped
      and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%')
  $$;

-- Inserts rows that open_tenant_rows returned in another cell.
create function insert_tenant_rows(target text, given jsonb) returns bigint
  language plpgsql as $$
declare
  columns  text;
  inserted bigint;
begin
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into columns
  from pg_attribute a
  where a.attrelid = to_regclass(target) and a.attnum > 0 and not a.attisdropped and a.attname <> all (drawn_columns(target));
  execute format('insert into %I (%s) select %s from jsonb_populate_recordset(null::%I, $1)', target, columns, columns, target)
    using given;
  get diagnostics inserted = row_count;
  return inserted;
end $$;

-- Number and digest of a tenant's rows without the named columns, to compare two cells.
create function digest_tenant_rows(target text, of_tenant uuid, without text[]) returns table (rows bigint, digest text)
  language plpgsql as $$
begin
  return query execute format(
    'select count(*), coalesce(sum(hashtextextended((to_jsonb(t) - $2)::text, 0)::numeric), 0)::text from %I t where %I = $1',
    target, case target when 'tenants' then 'id' else 'tenant_id' end)
  using of_tenant, without || drawn_columns(target);
end $$;

-- The days of the partitions in which a tenant has rows.
create function tenant_row_days(target text, of_tenant uuid) returns table (day date)
  language plpgsql as $$
begin
  return query execute format(
    $query$select distinct to_date(right(t.tableoid::regclass::text, 8), 'YYYYMMDD') from %I t where tenant_id = $1$query$, target)
  using of_tenant;
end $$;
