import { expect, test } from 'vitest'
import { runInterleavings } from '../../test/refresh-interleavings.ts'

test('in 1,000 interleavings of refreshes, lost responses, crashes and second tabs, no refresh token is sent twice', async () => {
  const { runs, sent_twice, refreshed, faults, unpaired_without_a_fault } = await runInterleavings({
    n: 1000,
  })

  expect({ runs, sent_twice, unpaired_without_a_fault }).toEqual({
    runs: 1000,
    sent_twice: 0,
    unpaired_without_a_fault: 0,
  })
  expect(refreshed).toBeGreaterThan(300)
  expect(faults).toBeGreaterThan(300)
})

test.each(['no_write_ahead', 'not_atomic', 'not_durable'] as const)(
  'the simulation detects a store with %s within 500 interleavings',
  async (injected) => {
    expect((await runInterleavings({ n: 500, injected })).sent_twice).toBeGreaterThan(0)
  },
)
