-- The dashboard warns of a till that was revoked because a spent token came back.
alter table devices add column revoked_by_reuse boolean not null default false;
