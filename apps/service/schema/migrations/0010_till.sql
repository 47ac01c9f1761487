-- Whether the staff of a till saw the person of the photo, and when they decided.
alter table verification_sessions
  add column same_person boolean,
  add column compared_at timestamptz;

-- What protects the end of a shift on a till, and whether its screen stays on. Wrong PINs are counted, and after five of them none is
-- accepted for a minute.
alter table devices
  add column pin_hash bytea,
  add column pin_failures smallint not null default 0,
  add column pin_failed_at timestamptz,
  add column keep_awake boolean not null default false;
