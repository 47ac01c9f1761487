-- Each replacement of the key of this cell's audit log, in order: a note that the old key and the new one have signed.
create table audit_handovers (
  number integer primary key check (number between 1 and 1000),
  note   text not null
);

-- How the signatures of the current key begin; null while the log has its first key. A process that still signs with an old key cannot
-- store its checkpoint, not even one of an earlier version, which does not ask for the key when it stores one.
alter table audit_log add column signature_start text,
  add constraint audit_log_signed_with_current_key
    check (signature_start is null or checkpoint is null or strpos(checkpoint, E'\n' || signature_start) > 0);
