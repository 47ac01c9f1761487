-- Each trust list with the one that points to it. A list is trusted no longer than the one above it: only that one says who may sign it.
create or replace view linked_trust_lists as
  select l.id, l.url, above.url as source, least(l.trusted_until, above.trusted_until) as trusted_until
  from trust_lists l
  left join trust_lists above on above.id = l.source_id;
