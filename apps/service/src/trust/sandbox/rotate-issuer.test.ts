import { exportAnchors } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { startService, type Merchant } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { openWallet } from '../../../test/wallet.ts'
import { openSandboxIssuer } from './open-sandbox.ts'
import { rotateSandboxIssuer } from './rotate-issuer.ts'

async function newVerification(merchant: Merchant) {
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  return body as { id: string; wallet_uri: string } // the contract's
}

test('the sandbox issuer can be replaced while the service runs: only what the new one issues is trusted, with its status lists', async () => {
  await using service = await startService()
  const { ctx, address } = service
  const merchant = await service.tenant()
  const outcome = async (issuer: Awaited<ReturnType<typeof openSandboxIssuer>>) => {
    const { id, wallet_uri } = await newVerification(merchant)
    await (await openWallet(ctx, address, { issuer })).respond(wallet_uri)
    const { body } = await merchant.get(`/v1/verifications/${id}`)
    return (body as { status: string }).status // the contract's
  }
  const before = await openSandboxIssuer(ctx)
  expect(await outcome(before)).toBe('completed')

  const open = await newVerification(merchant)
  await rotateSandboxIssuer(ctx)

  const after = await openSandboxIssuer(ctx)
  expect(exportAnchors(after)).not.toEqual(exportAnchors(before))
  // Another process may use the anchors that it has for a second.
  await waitUntil(async () => (await outcome(before)) === 'failed', { within_ms: 10_000 })
  expect(await outcome(after)).toBe('completed')
  await (await openWallet(ctx, address)).respond(open.wallet_uri)
  expect(await merchant.get(`/v1/verifications/${open.id}`)).toMatchObject({ body: { status: 'completed' } })
})
