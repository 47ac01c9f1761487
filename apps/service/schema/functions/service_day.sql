create or replace function service_day() returns date
  language sql volatile parallel safe
  as $$ select (service_now() at time zone 'UTC')::date $$;
