import { expect, test } from 'vitest'
import { auditReceipts, auditReceiptsWithInjectedFault } from './receipts-offline.ts'
import { sealedCanaries, sealedCanariesWithInjectedFault } from './sealed-canaries.ts'

/** Scaled down; `npm run chaos -- verifications.sealed --n 100000` and `npm run chaos -- audit.receipts --n 10000` are the full sizes. */
const slow = { timeout: 240_000 }

test('[SEAL-1] 100 holders of a merchant with a key leave no canary anywhere', slow, async () => {
  expect(await sealedCanaries({ n: 100 })).toMatchObject({ acknowledged: 100, lost: 0 })
})

test(
  '[SEAL-1] the canaries of a merchant without a key, and planted ones, are found in every place',
  slow,
  async () => {
    const { lost, contradictions } = await sealedCanariesWithInjectedFault({ n: 20 })
    expect(lost).toBeGreaterThan(0)
    expect(Object.values(contradictions ?? {}).every((found) => found > 0)).toBe(true)
  },
)

test(
  '[RECEIPT-1] 50 receipts are checked by two programs without a network, and each with one bit changed is refused',
  slow,
  async () => {
    expect(await auditReceipts({ n: 50 })).toMatchObject({ acknowledged: 50, lost: 0 })
    expect(await auditReceiptsWithInjectedFault({ n: 2 })).toMatchObject({ lost: 2 })
  },
)
