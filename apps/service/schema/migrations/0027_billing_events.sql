-- The usage of a day, for the operator's billing.
alter table webhook_events drop constraint webhook_events_kind_check;
alter table webhook_events add constraint webhook_events_kind_check check (kind in ('verification', 'alert', 'mail', 'usage'));
