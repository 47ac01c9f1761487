import { expect, test } from 'vitest'
import { openNoisyService } from './noisy.ts'
import { attackNames } from './attacks.ts'

const seconds = 3
/** The peak of one service under all attacks after each other. Each by itself must stay below `noisyBounds`. */
const maxMemory_mb = 1000

/** Scaled down: one service for all attacks. `npm run chaos -- noisy` runs each attack for 60 s on its own service and allows 3 times the idle delay. */
test(
  `[COST-20] others are served while one tenant attacks (${attackNames.length} attacks of ${seconds} s)`,
  { timeout: 240_000 },
  async () => {
    await using arena = await openNoisyService()
    const idle = await arena.measure(seconds)
    for (const attack of attackNames) {
      const { during, rss_mb } = await arena.measureDuring(attack, { idle, seconds })
      // A busy machine sheds some load with 503. Without the limits nearly every request fails.
      const failed = during.failures.length / during.create_ms.length
      const served = failed < 0.5 ? 'served' : `failed: ${[...new Set(during.failures)].join('; ')}`
      expect([attack, served, rss_mb < maxMemory_mb]).toEqual([attack, 'served', true])
    }
  },
)
