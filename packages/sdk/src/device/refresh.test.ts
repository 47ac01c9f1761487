import { expect, test } from 'vitest'
import { runInterleavings } from '../../test/refresh-interleavings.ts'

test('in 1,000 orders of refreshes, lost answers, crashes and second tabs no refresh token is sent twice', async () => {
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
  'a store that is %s is caught within 500 orders',
  async (injected) => {
    expect((await runInterleavings({ n: 500, injected })).sent_twice).toBeGreaterThan(0)
  },
)
