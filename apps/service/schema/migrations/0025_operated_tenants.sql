-- What the operator's own systems call a tenant: it is created once for each.
alter table tenants
  add column external_id text unique check (char_length(external_id) between 1 and 128),
  -- When it will be deleted, unless that is withdrawn before it begins.
  add column deletion_at timestamptz,
  add column deletion_begun_at timestamptz;
create index tenants_name on tenants (lower(name), id);
create index tenants_deletion_at on tenants (deletion_at) where deletion_at is not null;

-- When each loop of a background worker last succeeded, in any of them.
create table worker_loops (
  name text primary key,
  interval_seconds double precision not null,
  succeeded_at timestamptz not null
);
