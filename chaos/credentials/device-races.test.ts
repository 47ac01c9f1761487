import { expect, test } from 'vitest'
import { enrolRaces, refreshRaces, replayedTokens, revokeRaces } from './device-races.ts'
import { refusedTokens } from './refused-tokens.ts'

const options = { timeout: 180_000 }

test(
  '[ENROLL-3] of 32 simultaneous claims on three processes exactly one pairs (10 rounds)',
  options,
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
  '[TOKEN-3] of simultaneous uses of a refresh token at most one gets a token pair, and no token works afterwards (12 rounds)',
  options,
  async () => {
    expect(await refreshRaces({ n: 12 })).toMatchObject({ lost: 0, duplicated: 0 })
  },
)

test(
  '[DEV-5] after a revocation during a refresh and a use no token works (10 rounds)',
  options,
  async () => {
    expect(await revokeRaces({ n: 10 })).toMatchObject({ acknowledged: 10, lost: 0, duplicated: 0 })
  },
)

test(
  '[TOKEN-2] each of 10 earlier refresh tokens revokes the device when it is replayed',
  options,
  async () => {
    expect(await replayedTokens({ n: 10 })).toMatchObject({ acknowledged: 10, lost: 0, duplicated: 0 })
  },
)

test(
  '[TOKEN-2] unusable tokens cannot be distinguished, not even by response time (100 of each kind)',
  options,
  async () => {
    expect(await refusedTokens({ n: 100 })).toMatchObject({ lost: 0, duplicated: 0 })
  },
)
