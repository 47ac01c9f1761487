import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealing } from '@vidimus/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../../test/processes/run-command.ts'
import { startService, type Service } from '../../../test/service.ts'
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
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('None of the keys opens this')])
  writeFileSync(file, JSON.stringify({ ...body, id: `${id.slice(0, -1)}_` }))
  const exchanged = await runCommand(['result', 'open', file, '--private-key', mine], {})
  expect([exchanged.status, exchanged.stderr]).toEqual([1, expect.stringContaining('Do not accept it')])
})
