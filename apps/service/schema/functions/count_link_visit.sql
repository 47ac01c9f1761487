-- Counts a verification against the daily limit of its link. False if the link creates nothing: it has ended, or has reached its limit.
create or replace function count_link_visit(of_link text, on_day date) returns boolean
  language plpgsql as $$
begin
  update verification_links l
  set created_on = on_day, created_count = case when l.created_on = on_day then l.created_count + 1 else 1 end
  where l.id = of_link and l.active and l.used_at is null and coalesce(l.expires_at > service_now(), true)
    and (l.created_on is distinct from on_day or l.created_count < l.daily_limit);
  return found;
end $$;
