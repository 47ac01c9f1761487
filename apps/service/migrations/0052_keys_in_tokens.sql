-- The key of a certificate can be in a PKCS#11 token. The row then names the key instead of containing it sealed.
alter table access_certificates alter column sealed_key drop not null;
alter table access_certificates add column key_uri text;
alter table access_certificates add constraint access_certificates_one_key check (num_nonnulls(sealed_key, key_uri) = 1);
