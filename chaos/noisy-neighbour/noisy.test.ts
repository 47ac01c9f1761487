import { expect, test } from 'vitest'
import { noisyBounds, openNoisyService } from './noisy.ts'
import { attackNames } from './attacks.ts'

const seconds = 3
/** What one attack left in memory counts in the next one, so a service meets only a few. */
const attacksPerService = 5
const groups = Array.from({ length: Math.ceil(attackNames.length / attacksPerService) }, (_, index) =>
  attackNames.slice(index * attacksPerService, (index + 1) * attacksPerService),
)

/** Scaled down: one service for several attacks. `npm run chaos -- noisy` runs each attack for 60 s on its own service and allows 3 times the idle delay. */
test.each(groups.map((attacks) => ({ attacks })))(
  `[COST-20] others are served while one tenant attacks ($attacks, ${seconds} s each)`,
  { timeout: 240_000 },
  async ({ attacks }) => {
    await using arena = await openNoisyService()
    const idle = await arena.measure(seconds)
    for (const attack of attacks) {
      const { during, rss_mb } = await arena.measureDuring(attack, { idle, seconds })
      // A busy machine sheds some load with 503. Without the limits nearly every request fails.
      const failed = during.failures.length / during.create_ms.length
      const served = failed < 0.5 ? 'served' : `failed: ${[...new Set(during.failures)].join('; ')}`
      expect([attack, served, rss_mb < noisyBounds.rss_mb]).toEqual([attack, 'served', true])
    }
  },
)
