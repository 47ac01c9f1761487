import { expect, test } from 'vitest'
import { channelRace, channelRaceWithInjectedFault } from './channel-races.ts'

test(
  '[DC-10] of 100 simultaneous responses to one verification over all channels one is accepted',
  { timeout: 120_000 },
  async () => {
    expect(await channelRace({ n: 100 })).toMatchObject({
      acknowledged: 1,
      faults: 99,
      lost: 0,
      duplicated: 0,
    })
  },
)

test('[DC-10] a second accepted response is noticed', { timeout: 120_000 }, async () => {
  const { duplicated } = await channelRaceWithInjectedFault({ n: 100 })
  expect(duplicated).toBeGreaterThan(0)
})
