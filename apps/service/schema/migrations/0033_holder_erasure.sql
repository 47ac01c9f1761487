-- What a tenant does when the holder of a verification asks for its erasure.
alter table tenants add column holder_erasure text not null default 'off'
  check (holder_erasure in ('off', 'ask_merchant', 'automatic'));

-- What holders asked to be erased. A request says nothing about the holder. The audit entry of the erasure gets the hash of the reference that
-- the holder was shown. It is deleted with its verification.
create table erasure_requests (
  verification_id text primary key,
  verification_day date not null,
  tenant_id uuid not null references tenants (id) on delete cascade,
  environment text not null check (environment in ('test', 'live')),
  reference_hash bytea not null,
  requested_at timestamptz not null,
  due_at timestamptz not null,
  refused_at timestamptz
);
create index erasure_requests_of_tenant on erasure_requests (tenant_id, environment, due_at, verification_id);
create index erasure_requests_of_day on erasure_requests (verification_day);
alter table erasure_requests alter column reference_hash set statistics 0;

-- An event about an erasure has its own content, because its verification is gone when it is sent.
alter table webhook_events drop constraint webhook_events_kind_check;
alter table webhook_events
  add constraint webhook_events_kind_check check (kind in ('verification', 'alert', 'mail', 'usage', 'erasure'));
alter table webhook_events drop constraint webhook_events_check1;
alter table webhook_events add constraint webhook_events_check1 check ((kind in ('alert', 'erasure')) = (payload is not null));
