-- A client with a secret may do without PKCE. Its requests then have a nonce.
alter table openid_clients
  add column pkce_required boolean not null default true,
  add constraint openid_clients_pkce_check check (pkce_required or authentication = 'secret');

alter table openid_authorizations
  alter column code_challenge drop not null,
  add constraint openid_authorizations_injection_check check (code_challenge is not null or nonce is not null);
