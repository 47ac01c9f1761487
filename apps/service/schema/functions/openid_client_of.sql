-- What the OpenID client that asked in a verification does with the answer. No row for the verifications of others.
create or replace function openid_client_of(of_verification text) returns table (recognises boolean, same_device boolean)
  language sql stable
  as $$
    select c.subject_claim is not null, c.subject_claim is not null and not c.cross_device
    from openid_authorizations a join openid_clients c on c.id = a.client_id
    where a.verification_id = of_verification
  $$;
