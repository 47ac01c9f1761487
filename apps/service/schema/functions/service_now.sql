-- The one clock. Every time that is stored or compared is read here, after the lock it depends on. Tests replace this
-- function to turn the clock; nothing else may.
create or replace function service_now() returns timestamptz
  language sql volatile parallel safe
  as 'select clock_timestamp()';
