-- A list of lists keeps the pointers of its last good copy. A list that it points to is a row of its own, and is deleted with it.
alter table trust_lists
  add column pointers jsonb,
  add column source_id bigint references trust_lists (id) on delete cascade;
