-- The template with which holders without a code prove who they are on the page for erasures. Null: they cannot.
alter table tenants add column erasure_template text;

-- Set if the verification is for an erasure: the day of the results that its holder looks for. Of such a verification nothing is kept.
alter table verification_sessions add column erasing_day date;
