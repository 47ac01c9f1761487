-- A list of lists keeps the pointers of its last good copy. A list that it points to is a row of its own, and is deleted with it.
alter table trust_lists
  add column pointers jsonb,
  add column source_id bigint references trust_lists (id) on delete cascade;

-- OCSP responses are kept beside the lists.
alter table revocation_lists
  drop constraint revocation_lists_media_check,
  add constraint revocation_lists_media_check check (media in ('jwt', 'cwt', 'crl', 'ocsp'));
