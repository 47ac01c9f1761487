-- Who ended a verification before a wallet responded; null if nobody did. It expired at that time.
-- A verification may survive responses that fail: how many may be sent (null: one), how many failed, when the last one did and why.
-- When the request was fetched last: a page shows the code again after a response that failed. Where a holder without a wallet can proceed.
alter table verification_sessions
  add column cancelled_by text check (cancelled_by in ('merchant', 'device', 'holder')),
  add column max_attempts smallint check (max_attempts between 2 and 5),
  add column attempts smallint,
  add column attempted_at timestamptz,
  add column attempt_code text,
  add column fetched_at timestamptz,
  add column alternative_url text;
alter table verification_sessions alter column alternative_url set statistics 0;

-- How many responses a verification of the tenant takes unless it says otherwise, and whether the QR code of the page is replaced every
-- 20 seconds.
alter table tenants
  add column max_attempts smallint not null default 1 check (max_attempts between 1 and 5),
  add column moving_code boolean not null default false;
