-- Scopes for what members manage in the dashboard. Which exist is the contract's to say, so that a new one needs no migration.
alter table api_keys
  drop constraint api_keys_scopes_check,
  add constraint api_keys_scopes_check check (cardinality(scopes) between 1 and 64);
