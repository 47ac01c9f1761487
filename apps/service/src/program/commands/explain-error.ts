import { ConfigError, givenVariables } from '../../engine/config/index.ts'
import {
  NewerSchemaError,
  PendingMigrationsError,
  TransactionPoolingError,
  explainUnreachable,
  isForeignStatement,
} from '../../engine/db/index.ts'
import { explainLedger, ledgerReason } from '../../engine/ledger/index.ts'
import { ClosedRingError, MasterKeyError } from '../../engine/keyring/index.ts'
import { CommandError } from './command.ts'

/** Errors that are not bugs and whose message is complete. */
const expectedErrors = [
  ConfigError,
  NewerSchemaError,
  PendingMigrationsError,
  TransactionPoolingError,
  ClosedRingError,
  CommandError,
]

/** What a person can do about an error that is not a bug, in one line. Undefined for a bug, whose stack trace is needed. */
export function explainError(error: unknown): string | undefined {
  if (expectedErrors.some((kind) => error instanceof kind)) return (error as Error).message // each extends Error
  if (error instanceof MasterKeyError) return error.explain()
  // The pooler was put into transaction mode after the start, or its other sessions were in use.
  if (isForeignStatement(error)) return new TransactionPoolingError().message
  const reason = ledgerReason(error)
  if (reason !== undefined) return explainLedger(reason)
  return explainListening(error) ?? explainUnreachable(error, variables()['DATABASE_URL'])
}

/** EX_NOPERM of sysexits.h. A supervisor must not start the program again: another wrong PIN may lock the token. */
const refusedStatus = 77

export function exitStatus(error: unknown): number {
  return error instanceof MasterKeyError && error.permanent ? refusedStatus : 1
}

const listenReasons = new Map([
  ['EADDRINUSE', 'is in use. Choose another with PORT or METRICS_PORT.'],
  ['EACCES', 'is not allowed for this user. Choose one above 1023 with PORT or METRICS_PORT.'],
  ['EADDRNOTAVAIL', 'cannot be opened: HOST is not an address of this machine.'],
  ['ENOTFOUND', 'cannot be opened: HOST does not resolve.'],
])

/** Why a server could not listen. A host name that does not resolve is also a reason why PostgreSQL is unreachable. */
function explainListening(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  // `bind` if the supervisor of several processes listens.
  if (['listen', 'bind'].includes(String(error.syscall)) && 'address' in error) {
    const port = 'port' in error ? `Port ${String(error.port)} at ` : 'A port at '
    return joinReason(`${port}${String(error.address)}`, error.code)
  }
  const { HOST, METRICS_HOST } = variables()
  if (
    error.syscall === 'getaddrinfo' &&
    'hostname' in error &&
    [HOST, METRICS_HOST].includes(String(error.hostname))
  )
    return joinReason('The port', error.code)
  return undefined
}

function joinReason(what: string, code: unknown): string | undefined {
  const reason = listenReasons.get(String(code))
  return reason === undefined ? undefined : `${what} ${reason}`
}

/** Only for addresses in messages. A mistake in a variable was reported before, or is not the reason. */
function variables(): Record<string, string> {
  try {
    return givenVariables()
  } catch (error) {
    if (error instanceof ConfigError) return {}
    throw error
  }
}
