import type { Db } from '../../platform/db/open.ts'
import { returnAttempt, hasGuessed, takeAttempt } from '../store.ts'

/**
 * Wrong pairing codes (ENROLL-5): so many at once, and so many an hour after that. An IPv6 /48 is what one customer of a
 * provider is given, and holds 65,536 networks of /64.
 */
export const guessLimits = {
  address: { burst: 50, an_hour: 10 },
  site: { burst: 200, an_hour: 40 },
  everyone: { burst: 10_000, an_hour: 2000 },
}

type GuessCounter = { address: string; burst: number; an_hour: number }

/**
 * Counts an attempt before its code is looked at, so that simultaneous guesses cannot slip past. Undefined when there have
 * been too many; otherwise what takes the count back. When the whole service has had too many, only those are refused who
 * have guessed wrong within a day: a botnet must not keep every till from being paired.
 */
export async function countAttempt(
  tx: Db,
  address: string,
): Promise<{ undo: () => Promise<void> } | undefined> {
  const counters = addressCounters(address)
  const everyone: GuessCounter = { address: 'everyone', ...guessLimits.everyone }
  const hasGuessedBefore = await hasGuessed(tx, counters)
  // Narrowest first, in one order for all: two attempts never wait for each other.
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

function addressCounters(address: string): GuessCounter[] {
  const site = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(address)?.[1]
  return [
    { address, ...guessLimits.address },
    ...(site === undefined ? [] : [{ address: `${site}::/48`, ...guessLimits.site }]),
  ]
}
