-- What a template compares claims with, encrypted under the verification's seed. Deleted with it.
alter table verification_sessions add column expected bytea;
alter table verification_sessions alter column expected set statistics 0;
