-- How many responses could not be read, null for none, and when the last one came. A few of them leave the verification open (WRES-21).
alter table verification_sessions
  add column unreadable_responses smallint,
  add column unreadable_at timestamptz;
