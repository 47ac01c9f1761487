-- What a repeated request gets is rendered from the verification. `response` has the text that the previous release stored.
alter table idempotency_keys add column verification_id text;
alter table idempotency_keys alter column verification_id set statistics 0;
