-- Who an operator is at the identity provider, since they accepted an invitation there. Their address there says nothing.
alter table operators
  add column oidc_issuer text,
  add column oidc_subject text check (char_length(oidc_subject) <= 255),
  add constraint operators_identity_check check ((oidc_issuer is null) = (oidc_subject is null)),
  add constraint operators_identity_key unique (oidc_issuer, oidc_subject);

-- Who had a session at the provider has not confirmed their presence by signing in with it.
alter table operator_sessions
  add column method text check (method in ('passkey', 'oidc')),
  alter column confirmed_at drop not null;
