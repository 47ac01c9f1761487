-- When the person behind a session last proved to be there, with a passkey or a fresh login at the provider. Null: not since it
-- was opened. `way` says how it was opened; null for a session from before this was recorded.
alter table member_sessions add column confirmed_at timestamptz;
alter table member_sessions add column way text check (way in ('passkey', 'oidc', 'link'));

-- Links that were made so that a member who is there already can sign in again. They are shown to that member.
create table member_return_links (
  tenant_id uuid not null,
  id        uuid not null,
  member_id uuid not null,
  made_by   text not null,
  made_at   timestamptz not null,
  used_at   timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index on member_return_links (tenant_id, member_id, made_at desc);
create index on member_return_links (made_at);
