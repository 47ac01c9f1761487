-- Removes the texts that tell of a verification, in its chain and on the way there, and returns the entries of the chain
-- that lost theirs; the erasure's own entry must name them, or the chain reads as tampered with. The inbox comes first: a
-- sequencer that holds an entry is waited for, and its texts are seen by the statement after. since is a day before which
-- there can be none.
create or replace function erase_audit_texts(of_tenant uuid, of_subject text, since date default '-infinity') returns bigint[]
  language plpgsql as $$
declare
  removed bigint[];
begin
  update audit_inbox i set purpose = null, actor_name = null, subject = null
  where i.tenant_id = of_tenant and i.subject = of_subject;
  with gone as (
    delete from audit_texts t
    where t.tenant_id = of_tenant and t.subject = of_subject and t.day >= since
    returning t.seq
  )
  select coalesce(array_agg(gone.seq order by gone.seq), '{}') into removed from gone;
  return removed;
end $$;
