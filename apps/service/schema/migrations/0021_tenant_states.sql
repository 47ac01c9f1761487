-- A tenant that is suspended or closed creates no verifications. Its members are shown the reason.
alter table tenants
  add column state text not null default 'active' check (state in ('active', 'suspended', 'closed')),
  add column state_reason text,
  add column state_changed_at timestamptz;

-- Who can cancel is the code's to say. Operators can too.
alter table verification_sessions drop constraint verification_sessions_cancelled_by_check;
