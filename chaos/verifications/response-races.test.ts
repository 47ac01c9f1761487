import { expect, test } from 'vitest'
import { erasureRace, simultaneousResponses, garbageResponses } from './response-races.ts'
import { responseFailpoints } from './response-failpoints.ts'

test(
  '[WRES-3] of 100 valid responses to one verification, 50 at a time, one is accepted',
  { timeout: 120_000 },
  async () => {
    expect(await simultaneousResponses({ n: 100 })).toMatchObject({
      acknowledged: 1,
      faults: 99,
      lost: 0,
      duplicated: 0,
    })
  },
)

test(
  '[WRES-5] garbage posted to 30 open verifications leaves all of them pending, and the right wallet completes each',
  { timeout: 120_000 },
  async () => {
    expect(await garbageResponses({ n: 30 })).toMatchObject({ acknowledged: 30, lost: 0 })
  },
)

test(
  '[ERASE-3] an erasure that races with a response leaves nothing behind and counts correctly (15 times each way)',
  { timeout: 120_000 },
  async () => {
    const { acknowledged, lost, duplicated } = await erasureRace({ n: 15 })
    expect(acknowledged).toBeGreaterThanOrEqual(15)
    expect({ lost, duplicated }).toEqual({ lost: 0, duplicated: 0 })
  },
)

test(
  '[WRES-8] a process that dies at any step of accepting a response leaves all of it or nothing',
  { timeout: 240_000 },
  async () => {
    expect(await responseFailpoints({})).toMatchObject({ faults: 6, acknowledged: 6, lost: 0, duplicated: 0 })
  },
)
