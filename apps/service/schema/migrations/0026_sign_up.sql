-- People who asked for an account of their own. The link in their mail works once.
create table sign_ups (
  token_hash bytea primary key,
  -- The tenant and its first member once the link was used.
  id uuid not null,
  member_id uuid not null,
  email text not null check (char_length(email) <= 254),
  organisation text not null check (char_length(organisation) between 1 and 200),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on sign_ups (email);
create index on sign_ups (expires_at);

-- What the operator has not approved of a tenant that signed up: pending, live verifications; waiting, any; refused, live ones for good.
alter table tenants
  add column approval text not null default 'approved' check (approval in ('approved', 'pending', 'waiting', 'refused'));
create index tenants_unapproved on tenants (created_at, id) where approval in ('pending', 'waiting');
create index members_email on members (email);

-- A mail to somebody without an account belongs to no tenant. The others refer to a member or an invitation.
alter table mails drop constraint mails_tenant_id_fkey;
