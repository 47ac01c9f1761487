-- Which tenants let operators look, until when, and who gave or took it. An ended one is deleted.
create table support_access (
  tenant_id uuid primary key references tenants (id),
  given_by text not null check (given_by in ('tenant', 'operator')),
  name text not null check (char_length(name) <= 200),
  reason text check (char_length(reason) <= 500),
  since timestamptz not null,
  until timestamptz not null
);
create index on support_access (until);
