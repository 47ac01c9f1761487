-- Plans, which the operator changes while the service runs. Exactly one is that of new tenants.
create table plans (
  name text primary key check (name ~ '^[a-z][a-z0-9_-]{0,31}$'),
  by_default boolean not null default false,
  daily_quota integer not null check (daily_quota >= 0),
  devices integer not null check (devices >= 0),
  registrations_a_day integer not null check (registrations_a_day >= 0),
  members integer not null check (members >= 0),
  invitations integer not null check (invitations >= 0),
  keys integer not null check (keys >= 0),
  templates integer not null check (templates >= 0)
);
create unique index plans_by_default on plans (by_default) where by_default;

insert into plans (name, by_default, daily_quota, devices, registrations_a_day, members, invitations, keys, templates) values
  ('starter', true, 1000, 100, 500, 25, 25, 100, 100),
  ('growth', false, 50000, 1000, 5000, 200, 50, 500, 500),
  ('scale', false, 1000000, 5000, 20000, 1000, 200, 1000, 1000);

-- What PLANS named besides them is no longer known: such a plan begins with the default quota, and can be changed.
insert into plans (name, daily_quota, devices, registrations_a_day, members, invitations, keys, templates)
select distinct t.plan, 1000, 1000, 5000, 200, 50, 500, 500 from tenants t
on conflict do nothing;

alter table tenants add constraint tenants_plan_fkey foreign key (plan) references plans (name);
create index tenants_plan on tenants (plan);
