-- Whether the site that asked can still collect this result. Until then, a result that is deleted on delivery is kept.
create or replace function awaits_openid_client(of_verification text) returns boolean
  language sql stable
  as $$ select exists (select from openid_authorizations a where a.verification_id = of_verification and a.ends_at > service_now()) $$;
