-- Uses up the single-use link of a verification that completes. False if another verification has used it. Any other link, and one that was
-- deleted, can be used again and again.
create or replace function use_link(of_link text) returns boolean
  language plpgsql as $$
begin
  update verification_links l set used_at = service_now() where l.id = of_link and l.single_use and l.used_at is null;
  return found or not exists (select from verification_links l where l.id = of_link and l.single_use);
end $$;
