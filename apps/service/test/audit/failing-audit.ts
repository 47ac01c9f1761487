/** Whether the result of a change reports that it was not made. */
export function isRefused(outcome: unknown): boolean {
  if (typeof outcome !== 'object' || outcome === null) return false
  if ('error' in outcome) return true
  const status = 'status' in outcome ? outcome.status : 'http_status' in outcome ? outcome.http_status : 0
  return status === 500
}

/** SQL that makes the insert of the audit entry fail. */
export function failAuditInsert(action: string): string {
  return `create or replace function injected() returns trigger language plpgsql as $f$ begin raise exception 'injected'; end $f$;
    create trigger injected before insert on audit_inbox for each row when (new.action = '${action}') execute function injected()`
}

/** SQL that makes the commit fail after everything was written. */
export function failAuditCommit(action: string): string {
  return `create or replace function injected() returns trigger language plpgsql as $f$ begin raise exception 'injected'; end $f$;
    create constraint trigger injected after insert on audit_inbox deferrable initially deferred
    for each row when (new.action = '${action}') execute function injected()`
}
