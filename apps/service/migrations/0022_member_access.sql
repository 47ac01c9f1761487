-- Which member created what lets somebody in, so that removing the member withdraws it. Null for what an operator or an API
-- key created, and for what was created before this was recorded.
alter table api_keys add column created_by uuid;
create index on api_keys (tenant_id, created_by) where created_by is not null;

alter table devices add column registered_by uuid;
create index on devices (tenant_id, registered_by) where registered_by is not null and status = 'pending';

-- The actor as the audit log names it: `member:<id>` or `operator`. Null for an invitation from before this was recorded.
alter table member_invitations add column inviter text;
