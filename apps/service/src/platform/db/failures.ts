import { DatabaseError } from 'pg'

/** Cancelled, or tired of waiting for a lock: running the same again would only wait again. */
const timeouts = new Set(['57014', '55P03', '25P03', '57P05'])
/** The server went away or ended the session. What it had committed is unknown. */
const lostClasses = new Set(['08', '57', '58'])

/** PostgreSQL said no before it committed, and waiting was not the reason: nothing of the statement is left. */
export function failedBeforeCommit(error: unknown): boolean {
  return error instanceof DatabaseError && !timedOut(error) && !lostClasses.has(sqlState(error).slice(0, 2))
}

/** A row with this key is there already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505'
}

/** The statement, or the wait for a lock, took too long. */
export function timedOut(error: unknown): boolean {
  return error instanceof DatabaseError && timeouts.has(sqlState(error))
}

/** The connection broke, so it is unknown whether the statement was committed. */
export function connectionLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return !timedOut(error) && lostClasses.has(sqlState(error).slice(0, 2))
  return (
    error instanceof Error &&
    /^(?:Connection terminated|Client has encountered|read E|write E|connect E|timeout exceeded)/.test(
      error.message,
    )
  )
}

const refusals = new Map([
  ['ECONNREFUSED', 'nothing answers at its address'],
  ['ENOTFOUND', 'its name is unknown'],
  ['ETIMEDOUT', 'it does not answer'],
  ['28P01', 'the password is wrong'],
  ['28000', 'it does not let this user in'],
  ['3D000', 'there is no such database'],
])

/** Why no connection could be made, in words for whoever set DATABASE_URL; undefined when that was not the trouble. */
export function whyUnreachable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message.includes('timeout exceeded when trying to connect')) return refusals.get('ETIMEDOUT')
  return 'code' in error ? refusals.get(String(error.code)) : undefined
}

function sqlState(error: DatabaseError): string {
  return error.code ?? ''
}
