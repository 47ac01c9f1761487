import { expect, test } from 'vitest'
import { enrolRaces, refreshRaces, replayedTokens, revokeRaces } from './device-races.ts'
import { refusedTokens } from './refused-tokens.ts'

const patience = { timeout: 180_000 }

test(
  '[ENROLL-3] of 32 simultaneous claims over three processes one pairs (10 rounds)',
  patience,
  async () => {
    expect(await enrolRaces({ n: 10 })).toMatchObject({
      acknowledged: 10,
      faults: 10 * 31,
      lost: 0,
      duplicated: 0,
    })
  },
)

test(
  '[TOKEN-3] of simultaneous uses of a refresh token at most one gets a pair, and no token is left (12 rounds)',
  patience,
  async () => {
    expect(await refreshRaces({ n: 12 })).toMatchObject({ lost: 0, duplicated: 0 })
  },
)

test(
  '[DEV-5] a revocation that races a refresh and a use leaves no token behind (10 rounds)',
  patience,
  async () => {
    expect(await revokeRaces({ n: 10 })).toMatchObject({ acknowledged: 10, lost: 0, duplicated: 0 })
  },
)

test('[TOKEN-2] each of 10 earlier generations revokes the device when it comes back', patience, async () => {
  expect(await replayedTokens({ n: 10 })).toMatchObject({ acknowledged: 10, lost: 0, duplicated: 0 })
})

test(
  '[TOKEN-2] tokens that do not work are told apart by nothing, not even by time (100 of each kind)',
  patience,
  async () => {
    expect(await refusedTokens({ n: 100 })).toMatchObject({ lost: 0, duplicated: 0 })
  },
)
