import { DatabaseError } from 'pg'
import { Refusal } from '../basics/refusal.ts'

/** Deadlocks and other conflicts with a transaction that ran at the same time: all was rolled back, and a retry meets no conflict. */
const conflictClass = '40'
/** Cancelled, or timed out waiting for a lock: a retry would only wait again. */
const timeoutStates = new Set(['57014', '55P03', '25P03', '57P05'])
/** The server went away or ended the connection. Whether it committed is unknown. */
const connectionLostClasses = new Set(['08', '57', '58'])
/** Read-only (a standby or a demoted primary), and out of connections, memory or disk. */
const readOnlyState = '25006'
const outOfResourcesClass = '53'
const diskFullState = '53100'

/** No connection was available, so the statement was never sent. `cause` has the reason. */
export class DatabaseUnreachableError extends Error {
  override name = 'DatabaseUnreachableError'
}

/** Every connection of this process was in use for the time that a caller waits. */
export class PoolExhaustedError extends Error {
  override name = 'PoolExhaustedError'
}

/** PostgreSQL did not respond within the client's time limit; the connection was destroyed. */
export class QueryTimeoutError extends Error {
  override name = 'QueryTimeoutError'
}

/** PostgreSQL rejected the statement itself before the commit, so nothing was written. */
export function failedBeforeCommit(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    !timedOut(error) &&
    !serverUnavailable(error) &&
    !connectionLostClasses.has(sqlState(error).slice(0, 2))
  )
}

/** A row with this key already exists. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505'
}

/** The row belongs to a tenant that is being moved to another cell; nothing was written. */
export function isMovingTenant(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'VM001'
}

/** A named statement does not exist, or exists already. That cannot happen on a connection of our own. */
export function isForeignStatement(error: unknown): boolean {
  // It can be the first statement on a new connection, which is then not available.
  if (error instanceof DatabaseUnreachableError) return isForeignStatement(error.cause)
  return error instanceof DatabaseError && ['26000', '42P05'].includes(sqlState(error))
}

/** Why the database, and not a statement, failed. */
export const databaseFailures = [
  'unreachable',
  'pool_exhausted',
  'no_response',
  'connection_lost',
  'read_only',
  'disk_full',
  'out_of_resources',
] as const
export type DatabaseFailure = (typeof databaseFailures)[number]

/** Undefined if only the statement failed. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  if (error instanceof DatabaseUnreachableError) {
    const { cause } = error
    if (cause instanceof PoolExhaustedError) return 'pool_exhausted'
    // A check of connections refused a database that is well.
    return cause instanceof Refusal ? undefined : (databaseFailure(cause) ?? 'unreachable')
  }
  if (error instanceof QueryTimeoutError) return 'no_response'
  if (isDiskFull(error)) return 'disk_full'
  if (serverUnavailable(error))
    return error instanceof DatabaseError && error.code === readOnlyState ? 'read_only' : 'out_of_resources'
  return connectionLost(error) ? 'connection_lost' : undefined
}

/** The statement, or the wait for a lock, took too long. */
export function timedOut(error: unknown): boolean {
  return error instanceof DatabaseError && timeoutStates.has(sqlState(error))
}

/**
 * The server cannot run any statement now: it is unreachable, read-only or out of resources. Nothing was committed, and the
 * same statement may succeed later on another connection.
 */
export function serverUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachableError) return true
  if (!(error instanceof DatabaseError)) return false
  return sqlState(error) === readOnlyState || sqlState(error).startsWith(outOfResourcesClass)
}

/** The disk of PostgreSQL has no space for what the statement writes. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof DatabaseError && sqlState(error) === diskFullState
}

/** The connection broke, or PostgreSQL stopped responding, so it is unknown whether the statement was committed. */
export function connectionLost(error: unknown): boolean {
  if (error instanceof QueryTimeoutError) return true
  if (error instanceof DatabaseError)
    return !timedOut(error) && connectionLostClasses.has(sqlState(error).slice(0, 2))
  return (
    error instanceof Error &&
    /^(?:Connection terminated|Client has encountered|Client was closed|read E|write E)/.test(error.message)
  )
}

function lostConflict(error: unknown): boolean {
  return error instanceof DatabaseError && sqlState(error).startsWith(conflictClass)
}

/** The error is temporary: the caller gets 503 and may retry. */
export function isTemporary(error: unknown): boolean {
  return timedOut(error) || serverUnavailable(error) || connectionLost(error) || lostConflict(error)
}

const unreachableReasons = new Map<string, (server: string) => string>([
  ['ECONNREFUSED', (server) => `Can't connect to PostgreSQL at ${server}. Is it running?`],
  ['ENOTFOUND', (server) => `Can't connect to PostgreSQL at ${server}: the host name does not resolve.`],
  ['ETIMEDOUT', (server) => `PostgreSQL at ${server} does not respond.`],
  ['28P01', (server) => `PostgreSQL at ${server} rejected the password.`],
  ['28000', (server) => `PostgreSQL at ${server} does not accept this user.`],
  [
    'ENOENT',
    (server) => `Can't connect to PostgreSQL at ${server}: the socket does not exist. Is it running?`,
  ],
  [
    'EACCES',
    (server) => `Can't connect to PostgreSQL at ${server}: the socket is not accessible to this user.`,
  ],
  ['EHOSTUNREACH', (server) => `Can't connect to PostgreSQL at ${server}: there is no route to the host.`],
  ['ENETUNREACH', (server) => `Can't connect to PostgreSQL at ${server}: there is no route to the network.`],
  ['ECONNRESET', (server) => `${server} closed the connection. Is it PostgreSQL, and is it running?`],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', explainCertificate],
  ['SELF_SIGNED_CERT_IN_CHAIN', explainCertificate],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', explainCertificate],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', explainCertificate],
  ['CERT_HAS_EXPIRED', (server) => `The certificate of PostgreSQL at ${server} has expired.`],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    (server) => `The certificate of PostgreSQL at ${server} is for another host name.`,
  ],
  ['3D000', (server) => `PostgreSQL at ${server} does not have this database.`],
])

const fileCodes = new Set(['ENOENT', 'EACCES'])

function explainCertificate(server: string): string {
  return `The certificate of PostgreSQL at ${server} is self-signed or from an unknown authority. Name the authority in DATABASE_URL, sslrootcert=/path/of/ca.pem, or with NODE_EXTRA_CA_CERTS.`
}

/** Why no connection to `url` could be made, in a sentence for the operator. Undefined for any other error. */
export function explainUnreachable(error: unknown, url: string | undefined): string | undefined {
  if (error instanceof DatabaseUnreachableError) return explainUnreachable(error.cause, url)
  if (!(error instanceof Error)) return undefined
  const timeout = /timeout|timed out/.test(error.message) ? 'ETIMEDOUT' : undefined
  if (error.message === 'Connection terminated unexpectedly')
    return unreachableReasons.get('ECONNRESET')?.(serverName(url))
  if (error.message === 'The server does not support SSL connections')
    return `PostgreSQL at ${serverName(url)} does not support TLS. Switch it on there, or set sslmode=disable in DATABASE_URL.`
  const code = timeout ?? ('code' in error ? String(error.code) : '')
  // A file that is missing or not readable has the same codes as a socket.
  if (fileCodes.has(code) && !('syscall' in error && error.syscall === 'connect')) return undefined
  return unreachableReasons.get(code)?.(serverName(url))
}

function serverName(url = ''): string {
  const { hostname, port } = URL.parse(url) ?? { hostname: '', port: '' }
  return hostname === '' ? 'the address in DATABASE_URL' : `${hostname}:${port || 5432}`
}

function sqlState(error: DatabaseError): string {
  return error.code ?? ''
}
