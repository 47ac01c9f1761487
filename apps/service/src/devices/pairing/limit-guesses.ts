import type { Db } from '../../engine/db/index.ts'
import { returnAttempt, hasGuessed, takeAttempt } from './guess-store.ts'
import type { AddressKey } from '../../engine/limits/index.ts'

/**
 * Wrong pairing codes (ENROLL-5): a burst, then a rate per hour. An IPv6 /48 is what a provider assigns to one customer; it
 * has 65,536 networks of /64.
 */
export const guessLimits = {
  address: { burst: 50, per_hour: 10 },
  site: { burst: 200, per_hour: 40 },
  everyone: { burst: 10_000, per_hour: 2000 },
}

type GuessCounter = { address: string; burst: number; per_hour: number }

/**
 * Counts an attempt before its code is checked, so that concurrent guesses cannot exceed the limit. Returns a function that
 * uncounts it, or undefined after too many attempts. If the whole service has had too many, only addresses with a wrong
 * guess within a day are refused: a botnet must not stop every device from being paired.
 */
export async function countAttempt(
  tx: Db,
  address: AddressKey,
): Promise<{ undo: () => Promise<void> } | undefined> {
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
