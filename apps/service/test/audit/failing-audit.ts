/** Whether a change says that it was not made. */
export function isRefused(outcome: unknown): boolean {
  if (typeof outcome !== 'object' || outcome === null) return false
  if ('error' in outcome) return true
  const status = 'status' in outcome ? outcome.status : 'http_status' in outcome ? outcome.http_status : 0
  return status === 500
}

/** The entry itself cannot be written. */
export function failAuditInsert(action: string): string {
  return `create or replace function planted() returns trigger language plpgsql as $f$ begin raise exception 'planted'; end $f$;
    create trigger planted before insert on audit_inbox for each row when (new.action = '${action}') execute function planted()`
}

/** Everything was written, and the commit fails. */
export function failAuditCommit(action: string): string {
  return `create or replace function planted() returns trigger language plpgsql as $f$ begin raise exception 'planted'; end $f$;
    create constraint trigger planted after insert on audit_inbox deferrable initially deferred
    for each row when (new.action = '${action}') execute function planted()`
}
