import type { TokenPair } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import type { AddressKey } from '../../engine/limits/index.ts'
import { toDevicePrincipal } from '../device-principal.ts'
import { type DeviceRow, claimPairing, wasIssued } from '../store.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { deleteOldGuesses, hasGuessed, returnAttempt, takeAttempt } from './guess-store.ts'
import { hashPairingCode } from './register.ts'

/**
 * Wrong pairing codes (ENROLL-5): a burst, then a rate per hour. An IPv6 /48 is what a provider assigns to one customer; it
 * has 65,536 networks of /64.
 */
export const guessLimits = {
  address: { burst: 50, per_hour: 10 },
  site: { burst: 200, per_hour: 40 },
  everyone: { burst: 10_000, per_hour: 2000 },
}

const retryAfter_seconds = 3600 / guessLimits.address.per_hour

type EnrollDevice = { pairing_code: string; address: AddressKey }

/**
 * Pairs a device. The pairing code is its credential and works once. Wrong, used and expired codes, and one that another
 * device has just claimed, get the same refusal.
 */
export async function enrollDevice(
  ctx: Context,
  { pairing_code, address }: EnrollDevice,
): Promise<TokenPair> {
  const pairingHash = hashPairingCode(ctx.keyring, pairing_code)
  const limited = ctx.config.RATE_LIMITS !== 'off'
  const claimed = await ctx.db.transaction(async (tx): Promise<DeviceRow | 'wrong'> => {
    const attempt = limited ? await countAttempt(tx, address) : undefined
    if (limited && attempt === undefined) throw tooManyGuesses()
    const device = await claimPairing(tx, pairingHash)
    const guessed = device === undefined && !(await wasIssued(tx, pairingHash))
    if (!guessed) await attempt?.undo()
    if (guessed) ctx.metrics.pairingGuesses.inc()
    if (device === undefined) return 'wrong'
    await appendAudit(tx, { action: 'device.enrolled', by: toDevicePrincipal(device), subject: device.id })
    return device
  })
  if (claimed === 'wrong') throw new Refusal('invalid_pairing_code', 'This pairing code is not valid.')
  return issueTokens(ctx, claimed)
}

/** Thrown, so that the rollback uncounts the refused attempt. */
function tooManyGuesses(): Refusal {
  return new Refusal('rate_limit_exceeded', 'Too many wrong codes. Try again later.', retryAfter_seconds)
}

type GuessCounter = { address: string; burst: number; per_hour: number }

/**
 * Counts an attempt before its code is checked, so that concurrent guesses cannot exceed the limit. Returns a function that
 * uncounts it, or undefined after too many attempts. If the whole service has had too many, only addresses with a wrong
 * guess within a day are refused: a botnet must not stop every device from being paired.
 */
async function countAttempt(tx: Db, address: AddressKey): Promise<{ undo: () => Promise<void> } | undefined> {
  const counters = addressCounters(address)
  const everyone: GuessCounter = { address: 'everyone', ...guessLimits.everyone }
  const hasGuessedBefore = await hasGuessed(tx, counters)
  // Always narrowest first, so that two attempts cannot deadlock.
  for (const counter of counters) if (!(await takeAttempt(tx, counter))) return undefined
  const counted = await takeAttempt(tx, everyone)
  if (!counted && hasGuessedBefore) return undefined
  const takenFrom = counted ? [...counters, everyone] : counters
  return {
    undo: async () => {
      for (const counter of takenFrom) await returnAttempt(tx, counter.address)
    },
  }
}

function addressCounters(address: AddressKey): GuessCounter[] {
  const site = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(address)?.[1]
  return [
    { address, ...guessLimits.address },
    ...(site === undefined ? [] : [{ address: `${site}::/48`, ...guessLimits.site }]),
  ]
}

const batchSize = 1000
/** Longer than any counter takes to refill. */
const guessRetention_hours = 24

/** Deletes counters of wrong pairing codes that were not used for a day. */
export async function sweepGuesses({ db }: Pick<Context, 'db'>): Promise<void> {
  while (
    (await deleteOldGuesses(db, { older_than_hours: guessRetention_hours, limit: batchSize })) >= batchSize
  ) {
    // Delete the next batch.
  }
}
