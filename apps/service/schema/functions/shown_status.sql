-- The status that anyone is shown. An answer that is held back looks like none, and expires when its code stops working.
-- Volatile, as the clock is that it calls: PostgreSQL inlines no function that is declared less volatile than what it calls.
create or replace function shown_status(status text, withheld boolean, expires_at timestamptz, responded_at timestamptz) returns text
  language sql volatile
  as $$
    select case
      when withheld then case when redeemable_until(expires_at, responded_at) <= service_now() then 'expired' else 'pending' end
      when status = 'pending' and expires_at <= service_now() then 'expired'
      else status
    end $$;
