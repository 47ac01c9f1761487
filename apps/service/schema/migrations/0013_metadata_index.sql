-- What finds a verification by a value of its metadata: a hash of each value. The worker adds them, so that a creation does not pay for
-- them, and deletes them with their verification. `created_at` is unique for a tenant.
create table verification_metadata (
  day date not null,
  tenant_id uuid not null,
  hash bigint not null,
  created_at timestamptz not null
) partition by range (day);
create index verification_metadata_hash on verification_metadata (tenant_id, hash, created_at desc);

-- Until when a tenant's verifications are indexed, and what it had used of which day then.
create table metadata_marks (
  tenant_id uuid primary key,
  indexed_until timestamptz not null,
  day date not null,
  used integer not null
);
