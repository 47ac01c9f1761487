-- Whether the erasure ledger has the use of a single-use link, so that a restored database repeats it.
alter table verification_links
  add column use_recorded boolean not null default false;
create index verification_links_unrecorded on verification_links (id) where used_at is not null and not use_recorded;
-- Ended links are deleted some time later.
create index verification_links_ended on verification_links (least(expires_at, used_at)) where expires_at is not null or used_at is not null;
