-- What `vidimus restore apply` leaves in the database for the service (ADR 50).

-- A device whose later refreshes a restore has lost: a genuine token of a later generation is accepted once.
alter table devices add column accepts_later_generation boolean not null default false;

-- An event that was delivered, as far as the erasure ledger knows, although the restored queue still has it: `unknown`, not sent again.
-- Rows are not checked again: the new list contains the old one.
alter table webhook_deliveries
  drop constraint webhook_deliveries_outcome_check,
  add constraint webhook_deliveries_outcome_check
    check (outcome in ('delivered', 'failed', 'refused', 'timed_out', 'interrupted', 'unknown')) not valid;
alter table webhook_endpoint_deliveries
  drop constraint webhook_endpoint_deliveries_outcome_check,
  add constraint webhook_endpoint_deliveries_outcome_check
    check (outcome in ('delivered', 'failed', 'refused', 'timed_out', 'interrupted', 'unknown')) not valid;
