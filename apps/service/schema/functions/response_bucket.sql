-- Times to answer are counted in buckets whose limits grow by a quarter: bucket n ends at 0.25 * 1.25^n seconds. 0: no answer.
create or replace function response_bucket(seconds double precision) returns smallint
  language sql immutable parallel safe
  as $$
    select case
      when seconds is null then 0
      else least(greatest(ceil(ln(greatest(seconds, 0.001) / 0.25) / ln(1.25)), 1), 44)
    end::smallint $$;
