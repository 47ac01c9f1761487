import { DatabaseError } from 'pg'

/** Cancelled, or tired of waiting for a lock: running the same again would only wait again. */
const timeoutStates = new Set(['57014', '55P03', '25P03', '57P05'])
/** The server went away or ended the session. What it had committed is unknown. */
const connectionLostClasses = new Set(['08', '57', '58'])
/** Read-only (a standby, or a primary that was demoted), and out of connections, memory or disk. */
const readOnlyState = '25006'
const outOfResourcesClass = '53'

/** No connection could be had, so the statement was never sent. The cause says why. */
export class DatabaseUnreachableError extends Error {
  override name = 'DatabaseUnreachableError'
}

/** PostgreSQL did not answer within the client's own time limit; the connection was destroyed. */
export class QueryTimeoutError extends Error {
  override name = 'QueryTimeoutError'
}

/** PostgreSQL refused the statement because of what it asks, before it committed: nothing of it is left. */
export function failedBeforeCommit(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    !timedOut(error) &&
    !serverUnavailable(error) &&
    !connectionLostClasses.has(sqlState(error).slice(0, 2))
  )
}

/** A row with this key is there already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505'
}

/** A named statement is unknown, or known already, which a session of our own never answers. */
export function isForeignStatement(error: unknown): boolean {
  return error instanceof DatabaseError && ['26000', '42P05'].includes(sqlState(error))
}

/** The statement, or the wait for a lock, took too long. */
export function timedOut(error: unknown): boolean {
  return error instanceof DatabaseError && timeoutStates.has(sqlState(error))
}

/**
 * The server cannot take the statement now, whatever it asks: it is unreachable, read-only or out of resources. Nothing was
 * committed, and the same statement may succeed later on another connection.
 */
export function serverUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachableError) return true
  if (!(error instanceof DatabaseError)) return false
  return sqlState(error) === readOnlyState || sqlState(error).startsWith(outOfResourcesClass)
}

/** The connection broke, or PostgreSQL fell silent, so it is unknown whether the statement was committed. */
export function connectionLost(error: unknown): boolean {
  if (error instanceof QueryTimeoutError) return true
  if (error instanceof DatabaseError)
    return !timedOut(error) && connectionLostClasses.has(sqlState(error).slice(0, 2))
  return (
    error instanceof Error &&
    /^(?:Connection terminated|Client has encountered|Client was closed|read E|write E)/.test(error.message)
  )
}

/** Waiting helps: the caller is answered 503 and may repeat the request. */
export function isTemporary(error: unknown): boolean {
  return timedOut(error) || serverUnavailable(error) || connectionLost(error)
}

const unreachableReasons = new Map([
  ['ECONNREFUSED', 'nothing answers at its address'],
  ['ENOTFOUND', 'its name is unknown'],
  ['ETIMEDOUT', 'it does not answer'],
  ['28P01', 'the password is wrong'],
  ['28000', 'it does not let this user in'],
  ['3D000', 'there is no such database'],
])

/** Why no connection could be made, in words for whoever set DATABASE_URL; undefined when that was not the trouble. */
export function explainUnreachable(error: unknown): string | undefined {
  if (error instanceof DatabaseUnreachableError) return explainUnreachable(error.cause)
  if (!(error instanceof Error)) return undefined
  if (/timeout|timed out/.test(error.message)) return unreachableReasons.get('ETIMEDOUT')
  return 'code' in error ? unreachableReasons.get(String(error.code)) : undefined
}

function sqlState(error: DatabaseError): string {
  return error.code ?? ''
}
