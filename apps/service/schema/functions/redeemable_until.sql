-- Until when the code of an answer that is held back works: a browser may take its time to come back from the wallet.
create or replace function redeemable_until(expires_at timestamptz, responded_at timestamptz) returns timestamptz
  language sql stable
  as $$ select greatest(expires_at, responded_at + interval '5 minutes') $$;
