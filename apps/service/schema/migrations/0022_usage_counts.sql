-- What each tenant used on each day that can no longer change, for invoices: test and live apart, by outcome. It is kept when the
-- tenant is deleted, and names nobody else.
create table usage_counts (
  tenant_id uuid not null,
  day date not null,
  environment text not null check (environment in ('test', 'live')),
  outcome text not null,
  verifications integer not null check (verifications > 0),
  primary key (tenant_id, day, environment, outcome)
);
create index usage_counts_day on usage_counts (day);

insert into usage_counts (tenant_id, day, environment, outcome, verifications)
select c.tenant_id, c.day, c.environment, c.outcome, sum(c.verifications)
from outcome_counts c
where not c.by_template and not c.by_device and c.day <= (select through from outcome_progress)
group by 1, 2, 3, 4;
