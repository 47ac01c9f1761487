-- Where a tenant's days begin when an age is counted from a birth date. The service validates it: PostgreSQL knows other zones.
alter table tenants
  add column time_zone text not null default 'UTC' check (char_length(time_zone) between 1 and 64);
