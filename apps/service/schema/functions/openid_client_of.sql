-- What the OpenID client that asked in a session does with the answer. No row for the sessions of others.
create or replace function openid_client_of(of_session text) returns table (recognises boolean, same_device boolean)
  language sql stable
  as $$
    select c.subject_claim is not null, c.subject_claim is not null and not c.cross_device
    from openid_authorizations a join openid_clients c on c.id = a.client_id
    where a.session_id = of_session
  $$;
