import { importIssuer } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import { attacks, type AttackName } from './attacks.ts'
import { bearer, openHttpClient } from './http-client.ts'
import { openNoisyService } from './noisy.ts'

/** Attacks with many requests in progress. */
const floods = ['page', 'figures', 'list', 'garbage', 'search', 'creations'] as const satisfies AttackName[]
const victimRequests = 15
/** On average. One attacker sends 4 to 250 at a time. */
const maxAhead = 4

/** Attacks that show in these counts that owners take no turns. Lists and bodies have bounds of their own besides. */
const noticed = ['page', 'figures', 'search', 'creations'] as const

test(
  `a request waits for a few of another's requests, however many those are (${floods.length} attacks, ${victimRequests} requests each)`,
  {
    timeout: 400_000,
  },
  async () => {
    const fair = await countRequestsAhead([])
    const unfair = await countRequestsAhead(sourceFaults.noTurns)
    console.log(`requests ahead: ${JSON.stringify({ fair, unfair })}`)
    for (const name of floods) expect([name, fair[name] < maxAhead]).toEqual([name, true])
    for (const name of noticed) expect([name, unfair[name] > fair[name]]).toEqual([name, true])
    expect(Math.max(...Object.values(unfair))).toBeGreaterThan(10 * maxAhead)
  },
)

/** How many requests of the attacker were answered while a creation of another tenant was in progress, on average. */
async function countRequestsAhead(
  injectedFaults: InjectedFault[],
): Promise<Record<(typeof floods)[number], number>> {
  await using service = await openNoisyService({ injectedFaults })
  const counts = { page: 0, figures: 0, list: 0, garbage: 0, search: 0, creations: 0 }
  for (const name of floods) {
    await service.prepare(name)
    let over = false
    let responded = 0
    const client = openHttpClient({ port: service.port })
    const run = await attacks[name]({
      ...service.attacker,
      host: '127.0.0.1',
      issuer: importIssuer(service.attacker.issuer, new Date()),
      sandbox_issuer: importIssuer(service.attacker.sandbox_issuer, new Date()),
      client,
      over: () => over,
      count: () => void (responded += 1),
    })
    const running = run()
    const victim = openHttpClient({ port: service.port, localAddress: '127.0.0.2' })
    const ahead: number[] = []
    for (let count = 0; count < victimRequests; count += 1) {
      const before = responded
      const { status } = await victim.call({
        method: 'POST',
        path: '/v1/verifications',
        headers: bearer(service.victimKey),
        body: JSON.stringify({ template: 'age_over_18' }),
      })
      expect([name, status]).toEqual([name, 201])
      ahead.push(responded - before)
    }
    over = true
    await running
    client.close()
    victim.close()
    counts[name] = ahead.reduce((sum, count) => sum + count, 0) / ahead.length
  }
  return counts
}
