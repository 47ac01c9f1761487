import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SealingPrivateJwk, sealing } from '@vidimus/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../../test/processes/run-command.ts'
import { activateKey } from '../../../test/sealing.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'

let service: Service
const folder = mkdtempSync(join(tmpdir(), 'vidimus-sealing-'))
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service[Symbol.asyncDispose]()
})

test('[SEAL-5] a key is made, registered and used by the command line; a result that the SDK opens, it opens too', async () => {
  const merchant = await service.tenant()
  const environment = { VIDIMUS_URL: service.address, VIDIMUS_KEY: merchant.key }
  const [mine, other] = [join(folder, 'mine.json'), join(folder, 'other.json')]
  for (const file of [mine, other])
    expect((await runCommand(['sealing-key', 'create', '--private-key', file], {})).status).toBe(0)
  expect(statSync(mine).mode & 0o777).toBe(0o600)
  const again = await runCommand(['sealing-key', 'create', '--private-key', mine], {})
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('never overwritten')])
  const registered = await runCommand(['sealing-key', 'register', '--private-key', mine], environment)
  expect([registered.status, registered.stderr]).toEqual([0, ''])

  const { id, wallet_uri } = (await merchant.post('/v1/verifications', { template: 'identity_basic' })).body
  await (await openWallet(service.ctx, service.address)).respond(wallet_uri)
  const { body, text } = await merchant.get(`/v1/verifications/${id}`)
  const file = join(folder, 'verification.json')
  writeFileSync(file, text)
  const opened = await runCommand(['result', 'open', file, '--private-key', `${other},${mine}`], {})
  const bySdk = await sealing.openResult(body, JSON.parse(readFileSync(mine, 'utf8')))
  expect(opened.status).toBe(0)
  expect(JSON.parse(opened.stdout)).toMatchObject({ id, claims: bySdk.claims })
  expect(Object.keys(bySdk.claims ?? {}).length).toBeGreaterThan(1)

  const listed = await runCommand(['sealing-key', 'list'], environment)
  expect([listed.status, listed.stdout]).toEqual([
    0,
    expect.stringMatching(/^[\w-]{43} {2}active {2}1 stored results\n$/),
  ])

  const wrong = await runCommand(['result', 'open', file, '--private-key', other], {})
  expect([wrong.status, wrong.stderr]).toEqual([
    1,
    expect.stringContaining('None of the given keys opens this'),
  ])
  writeFileSync(file, JSON.stringify({ ...body, id: `${id.slice(0, -1)}_` }))
  const exchanged = await runCommand(['result', 'open', file, '--private-key', mine], {})
  expect([exchanged.status, exchanged.stderr]).toEqual([1, expect.stringContaining('Do not accept it')])
})

/** A completed verification that is sealed to the keys of that moment. */
async function completeOne(merchant: Merchant) {
  const { id, wallet_uri } = (await merchant.post('/v1/verifications', { template: 'identity_basic' })).body
  await (await openWallet(service.ctx, service.address)).respond(wallet_uri)
  return (await merchant.get(`/v1/verifications/${id}`)).body
}

test('[SEAL-5] a lost key, keys that overlap, a retired key and wrong ones: what the SDK and the command line say, word for word', async () => {
  const merchant = await service.tenant()
  const old = await activateKey(merchant)
  const sealedToOld = await completeOne(merchant)
  const next = await activateKey(merchant)
  const sealedToBoth = await completeOne(merchant)
  await merchant.delete(`/v1/sealing_keys/${old.kid}`)
  const sealedToNext = await completeOne(merchant)
  const stranger = await sealing.createKey()
  const jwkOf = ({ privateJwk }: { privateJwk: unknown }) => privateJwk as SealingPrivateJwk // made for P-256
  /** The public half of one key with the private half of another. */
  const mixed = { ...jwkOf(next), d: jwkOf(stranger).d }

  const open = async (verification: typeof sealedToOld, keys: SealingPrivateJwk[]) => {
    const sdk = await sealing.openResult(verification, keys).then(
      () => 'opened',
      (error: Error) => error.message,
    )
    const files = keys.map((_, index) => join(folder, `key-${index}.json`))
    for (const [index, file] of files.entries()) writeFileSync(file, JSON.stringify(keys[index]))
    const file = join(folder, 'result.json')
    writeFileSync(file, JSON.stringify(verification))
    const { status, stderr } = await runCommand(['result', 'open', file, '--private-key', files.join()], {})
    return [sdk, status === 0 ? 'opened' : stderr.trim()]
  }
  const opened = ['opened', 'opened']
  const same = (message: string) => [message, message]
  const needs = (kids: string, given: string) =>
    same(`None of the given keys opens this. It was sealed to ${kids}; you gave ${given}.`)
  const damaged =
    'The key is named, but does not open this: the text was changed, or the private key is another one.'

  // Both keys of a rotation open what was made meanwhile; the retired one opens what is older, and nothing newer.
  expect(await open(sealedToOld, [jwkOf(old)])).toEqual(opened)
  expect(await open(sealedToBoth, [jwkOf(old)])).toEqual(opened)
  expect(await open(sealedToBoth, [jwkOf(next)])).toEqual(opened)
  expect(await open(sealedToNext, [jwkOf(next), jwkOf(old)])).toEqual(opened)
  expect(await open(sealedToNext, [jwkOf(old)])).toEqual(needs(next.kid, old.kid))
  // The old private key is lost: the message names it.
  expect(await open(sealedToOld, [jwkOf(next)])).toEqual(needs(old.kid, next.kid))
  expect(await open(sealedToBoth, [jwkOf(stranger)])).toEqual(needs(`${old.kid}, ${next.kid}`, stranger.kid))
  expect(await open(sealedToNext, [mixed])).toEqual(
    same('A private key must be the complete JWK of sealing-key.json: kty EC, crv P-256, x, y and d.'),
  )
  const changed = structuredClone(sealedToNext)
  changed.claims['_sealed'].tag =
    `${changed.claims['_sealed'].tag.startsWith('A') ? 'B' : 'A'}${changed.claims['_sealed'].tag.slice(1)}`
  expect(await open(changed, [jwkOf(next)])).toEqual(same(damaged))
  const exchanged = { ...sealedToNext, id: sealedToBoth.id }
  expect(await open(exchanged, [jwkOf(next)])).toEqual(
    same(`The sealed result belongs to ${sealedToNext.id}, not to ${sealedToBoth.id}. Do not accept it.`),
  )
})
