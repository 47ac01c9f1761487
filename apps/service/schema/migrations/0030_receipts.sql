-- What a verification's receipt says: a text without claims, and the salt with which the audit entry of the outcome commits to it. The day
-- is that of the verification, with which it is deleted.
create table verification_receipts (
  day date not null,
  tenant_id uuid not null,
  environment text not null,
  verification_id text not null,
  salt bytea not null,
  body text not null,
  primary key (day, verification_id)
) partition by range (day);
create index verification_receipts_of_tenant on verification_receipts (tenant_id, environment, verification_id);
alter table verification_receipts alter column salt set statistics 0, alter column body set statistics 0;

alter type wallet_response add attribute receipt text;
alter type wallet_response add attribute receipt_salt bytea;
