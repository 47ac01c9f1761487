-- Results are cut by the day they are purged: those days lie as far ahead as the tenants' retention does.
create or replace function make_partitions_ahead() returns integer
  language sql as $$
    select coalesce(sum(made), 0)::integer from (
      select make_partitions(name, service_day() - 1, service_day() + days_ahead) as made from daily_tables
      union all
      select make_partitions('verification_results', service_day() + days, service_day() + days + 8)
      from (select distinct retention_days as days from tenants union select 30) as retentions
    ) as all_tables
  $$;
