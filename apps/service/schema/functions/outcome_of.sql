-- Figures of verifications. A verification has one outcome. `declined` is a failure that its holder chose.
create or replace function outcome_of(shown_status text, error_code text) returns text
  language sql immutable parallel safe
  as $$ select case when shown_status = 'failed' and error_code = 'holder_declined' then 'declined' else shown_status end $$;
