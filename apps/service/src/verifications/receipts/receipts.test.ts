import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkReceipt, readPublicKey, type Proof, type PublicKey } from '@vidimus/evidence'
import type { Receipt } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { namesOfHolder } from '../../../test/fault-verifications.ts'
import { changeReceipt } from '../../../test/change-receipt.ts'
import { activateKey } from '../../../test/sealing.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { appendAudit } from '../../audit/append.ts'
import { flushAudit } from '../../audit/advance.ts'
import { getAuditKey } from '../../audit/log/open-log.ts'
import { rotateAuditKey } from '../../audit/log/rotate-key.ts'
import { verifyEverything } from '../../audit/verify/verify.ts'

let service: Service
let pem = ''
let publicKey: PublicKey
const folder = mkdtempSync(join(tmpdir(), 'vidimus-receipts-'))
beforeAll(async () => {
  service = await startService()
  pem = (await getAuditKey(service.ctx)).public_key
  const key = readPublicKey(pem)
  if (key === undefined) throw new Error('there is no public key')
  publicKey = key
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service[Symbol.asyncDispose]()
})

const script = fileURLToPath(new URL('../../../../../docs/reference/audit-check.py', import.meta.url))

async function verify(merchant: Merchant, body: object = {}, options: WalletOptions = {}) {
  const { id, wallet_uri } = (
    await merchant.post('/v1/verifications', {
      template: 'identity_basic',
      purpose: 'Hotel check-in',
      ...body,
    })
  ).body
  const wallet = await openWallet(service.ctx, service.address, options)
  const responded = await wallet.respond(wallet_uri)
  return { id: id as string, path: `/v1/verifications/${id}/receipt`, wallet, responded }
}

async function signedReceipt(merchant: Merchant, ...more: [object?, WalletOptions?]) {
  const verified = await verify(merchant, ...more)
  await flushAudit(service.ctx)
  const { status, body, text } = await merchant.get(verified.path)
  expect([status, text]).toEqual([200, expect.any(String)])
  return { ...verified, receipt: body as Receipt, text }
}

const save = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** Whether both programs accept a file, without a service, a database or a network. */
async function checkTwice(text: string): Promise<[boolean, boolean]> {
  const [file, key] = [save('receipt.json', text), save('key.pem', pem)]
  const ours = await runCommand(['receipt', 'check', file, '--public-key', key], {})
  const python = spawnSync('python3', [script, file, key], { encoding: 'utf8' })
  return [ours.status === 0, python.status === 0]
}

test('[RECEIPT-2] a receipt says what was asked and how it ended, without claims, in at most 4 kB; it is 409 until it is signed', async () => {
  const merchant = await service.tenant()
  const pending = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  const open = await merchant.get(`/v1/verifications/${pending.id}/receipt`)
  expect([open.status, open.body.error.code]).toEqual([409, 'receipt_not_ready'])
  const { id, path, wallet } = await verify(merchant)
  const early = await merchant.get(path)
  expect([early.status, early.body.error.code, early.headers.get('retry-after')]).toEqual([
    409,
    'receipt_not_ready',
    '2',
  ])
  await flushAudit(service.ctx)

  const { body: receipt, text } = await merchant.get(path)
  const { responded_at, created_at } = (await merchant.get(`/v1/verifications/${id}`)).body
  expect(JSON.parse(receipt.body)).toMatchObject({
    v: 1,
    id,
    tenant_id: merchant.tenant_id,
    environment: 'test',
    template: { key: 'identity_basic', version: expect.stringMatching(/^[0-9a-f]{64}$/) },
    purpose_hash: expect.any(String),
    client_id: expect.stringContaining('x509_hash:'),
    channel: 'redirect',
    status: 'completed',
    credentials: [{ trusted: true, signature_valid: true, holder_binding_valid: true }],
    result: { sealed: false },
    created_at,
    responded_at,
  })
  expect(text.length).toBeLessThan(4096)
  const names = namesOfHolder(wallet.wallet.credentials)
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) expect(text).not.toContain(name)
  expect(await checkTwice(text)).toEqual([true, true])
})

test('[RECEIPT-1] one bit changed in any member is refused by both programs', async () => {
  const { receipt, text } = await signedReceipt(await service.tenant())
  const changed = Array.from(changeReceipt(receipt))
  expect(changed.length).toBeGreaterThan(30)
  const accepted: string[] = []
  for (const [place, altered] of changed)
    if ((await checkReceipt(altered, { publicKey })).valid) accepted.push(place)
  expect(accepted).toEqual([])

  // In Python each starts a process, so the receipts are on the lines of one file, and every line has its fault.
  const lines = changed.map(([, altered]) => JSON.stringify(altered))
  const file = save('altered.jsonl', `${lines.join('\n')}\n`)
  const python = spawnSync('python3', [script, file, save('key.pem', pem)], { encoding: 'utf8' })
  const refused = new Set(
    Array.from(python.stdout.matchAll(/^receipt (\d+):/gm), ([, number]) => Number(number)),
  )
  expect(
    changed.map(([place], index) => [place, refused.has(index + 1)]).filter(([, found]) => found === false),
  ).toEqual([])
  expect(await checkTwice(text)).toEqual([true, true])
})

test('[RECEIPT-1] the proof of another verification, of another tenant or for another key is refused', async () => {
  const [one, two] = [await service.tenant(), await service.tenant()]
  const [first, second, foreign] = [
    await signedReceipt(one),
    await signedReceipt(one),
    await signedReceipt(two),
  ]
  for (const { receipt } of [second, foreign]) {
    const exchanged = { ...first.receipt, proof: receipt.proof }
    expect((await checkReceipt(exchanged, { publicKey })).valid).toBe(false)
    expect(await checkTwice(JSON.stringify(exchanged))).toEqual([false, false])
  }
})

test('[RECEIPT-2] a copy is valid after the erasure, of which it says nothing, and the service has no receipt any more', async () => {
  const merchant = await service.tenant()
  const { id, path, text } = await signedReceipt(merchant)
  await merchant.delete(`/v1/verifications/${id}`)
  await flushAudit(service.ctx)

  expect((await merchant.get(path)).body.error.code).toBe('session_not_found')
  expect(await checkTwice(text)).toEqual([true, true])
  const printed = await runCommand(
    ['receipt', 'check', save('receipt.json', text), '--public-key', save('key.pem', pem)],
    {},
  )
  expect(printed.stdout).toContain('may have been erased since')
})

test('[RECEIPT-1] the key of the log is replaced, and receipts from before and after are valid with the first key', async () => {
  const merchant = await service.tenant()
  const before = await signedReceipt(merchant)
  await rotateAuditKey(service.ctx)
  const after = await signedReceipt(merchant)
  expect(await checkTwice(before.text)).toEqual([true, true])
  expect(await checkTwice(after.text)).toEqual([true, true])
})

test('[RECEIPT-2] a result that is held back has no receipt before its code is redeemed', async () => {
  const merchant = await service.tenant()
  await merchant.patch('/v1/settings/policies', { hold_back: true })
  const { id, path, responded } = await verify(merchant, { redirect_url: 'https://shop.example/return' })
  await flushAudit(service.ctx)
  expect((await merchant.get(path)).status).toBe(409)
  if (!responded.sent) throw new Error('the wallet did not respond')
  const code = /response_code=([\w-]+)/.exec(responded.body)?.[1] ?? ''
  await merchant.post(`/v1/verifications/${id}/redeem`, { response_code: code })
  await flushAudit(service.ctx)

  const { status, text } = await merchant.get(path)
  expect([status, await checkTwice(text)]).toEqual([200, [true, true]])
})

test('a receipt of a sealed result has its hash; of a failed one, the code and the checks', async () => {
  const merchant = await service.tenant()
  await activateKey(merchant)
  const sealed = await signedReceipt(merchant)
  const failed = await signedReceipt(merchant, {}, { behaviour: 'declines' })

  expect(JSON.parse(sealed.receipt.body).result).toEqual({ sealed: true, hash: expect.any(String) })
  expect(JSON.parse(failed.receipt.body)).toMatchObject({ status: 'failed', error_code: 'holder_declined' })
})

test('receipts of a day page by page, and a report with counts, changes and a sample, all of which are valid', async () => {
  const merchant = await service.tenant()
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.push((await verify(merchant)).id)
  await merchant.post('/v1/verifications', { template: 'age_over_18' })
  await merchant.patch('/v1/settings/policies', { retention_days: 7 })
  await flushAudit(service.ctx)
  const day = new Date().toISOString().slice(0, 10)
  const first = (await merchant.get(`/v1/receipts?day=${day}&limit=2`)).body
  const second = (await merchant.get(`/v1/receipts?day=${day}&limit=2&after=${first.next_after}`)).body
  const report = (await merchant.get(`/v1/report?from=${day}&to=${day}`)).body

  const listed = [...first.data, ...second.data].map(({ body }) => JSON.parse(body).id)
  expect(listed).toEqual(ids.toSorted())
  expect(second).not.toHaveProperty('next_after')
  expect(report.counts).toMatchObject([
    { day, template: 'age_over_18', status: 'pending', verifications: 1 },
    { day, template: 'identity_basic', status: 'completed', verifications: 3 },
  ])
  expect(report.changes).toMatchObject([{ action: 'tenant.policies_changed' }])
  expect(report.sample.length).toBeGreaterThan(0)
  for (const receipt of [...first.data, ...report.sample])
    expect(await checkReceipt(receipt, { publicKey })).toMatchObject({ valid: true, faults: [] })
  expect(await checkTwice(JSON.stringify(first))).toEqual([true, true])
  const refused = [`report?from=${day}&to=2020-01-01`, 'report?from=0000-01-01', 'receipts?day=0000-01-01']
  for (const path of refused) expect([path, (await merchant.get(`/v1/${path}`)).status]).toEqual([path, 400])
})

test('[RECEIPT-2] with 2,000 entries between two signatures, every receipt has less than 4 kB and both programs accept it', async () => {
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  const by = { kind: 'service', tenant_id } as const
  await flushAudit(service.ctx)
  const paths: string[] = []
  const [batches, batchSize] = [10, 200]
  for (let batch = 0; batch < batches; batch += 1) {
    paths.push((await verify(merchant)).path)
    await service.ctx.db.transaction(async (tx) => {
      for (let n = 0; n < batchSize; n += 1)
        await appendAudit(tx, { action: 'webhook.test_sent', by, detail: { host: 'shop.example' } })
    })
  }
  await flushAudit(service.ctx)

  const receipts: { receipt: Receipt; text: string }[] = []
  for (const path of paths) {
    const { body, text } = await merchant.get(path)
    receipts.push({ receipt: body, text })
  }
  const proofs = receipts.map(({ receipt }) => receipt.proof as unknown as Proof) // the contract does not describe proofs
  expect(new Set(proofs.map(({ leaf_index }) => leaf_index)).size).toBe(1)
  expect(Math.max(...proofs.map(({ after }) => after.length))).toBeLessThan(4)
  expect(Math.max(...receipts.map(({ text }) => text.length))).toBeLessThan(4096)
  expect(await checkTwice(receipts.map(({ text }) => text).join('\n'))).toEqual([true, true])
  expect(await verifyEverything(service.ctx)).toMatchObject({ valid: true, faults: [] })
})
