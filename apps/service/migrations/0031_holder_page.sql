-- Whose pages may request credentials through the Digital Credentials API (DC-8), and whether the EU age-verification app may
-- respond without encryption (DC-12).
alter table tenants
  add column page_origins text[] not null default '{}' check (cardinality(page_origins) <= 10),
  add column age_app      boolean not null default false;

-- When an error without encryption first arrived over the Digital Credentials API. It does not end the session (DC-11).
alter table verification_sessions add column dc_error_at timestamptz;
