-- What an audit entry says of a receipt.
create or replace function receipt_hash(salt bytea, body text) returns text
  language sql immutable parallel safe
  return encode(sha256(salt || convert_to(body, 'UTF8')), 'hex');
