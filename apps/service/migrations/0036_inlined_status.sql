-- PostgreSQL inlines a SQL function only if it is declared at least as volatile as what it calls: the clock is volatile, and adding
-- an interval to a time is stable, because it depends on the time zone. Until now every statement that shows a status parsed
-- and planned both bodies again. The results are the same.
alter function shown_status(text, boolean, timestamptz, timestamptz) volatile;
alter function redeemable_until(timestamptz, timestamptz) stable;
