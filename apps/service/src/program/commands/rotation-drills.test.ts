import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startWorkerProcesses } from '../../../test/processes/worker-processes.ts'
import { startService, testEnvironment, type Merchant, type Service } from '../../../test/service.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { openWallet } from '../../../test/wallet.ts'
import { countSealed } from '../../engine/keyring/sealed-values-store.ts'
import { sql } from '../../engine/db/sql.ts'
import { newSealedSecret, unsealSecret } from '../../accounts/webhook-secrets/create-secrets.ts'

// Each rotation of docs/operate/rotate.md as an operator does it: with the program, while the service runs.

const folder = mkdtempSync(join(tmpdir(), 'vidimus-drills-'))
afterAll(() => rmSync(folder, { recursive: true }))

type ListedKey = { id: number; state: string; sealed_values: number }

test('drill: the key ring is rotated while workers are killed and secrets change; the old key is deleted at the end', async () => {
  await using service = await startService()
  const { db, keyring } = service.ctx
  const { tenant_id } = await service.tenant()
  const other = await service.tenant()
  const secrets = Array.from({ length: 250 }, () => newSealedSecret(keyring))
  await db.execute(sql`
    insert into webhook_secrets (tenant_id, sealed, retires_at)
    select ${tenant_id}, sealed, service_now() + interval '1 hour' from unnest(${secrets.map(({ sealed }) => sealed)}::bytea[]) sealed`)
  const environment = testEnvironment(service.database_url, { LOG_LEVEL: 'silent' })
  const run = (...args: string[]) => runProgram([...args, '--json'], environment)
  const listKeys = async () =>
    (JSON.parse((await run('admin', 'keyring', 'list')).stdout) as { keys: ListedKey[] }).keys // printed by our own program
  expect((await run('admin', 'keyring', 'rotate')).status).toBe(0)
  const refused = await run('admin', 'keyring', 'retire', '--key', '2')
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('processes may still seal with key 2'),
  ])

  const countOld = async () => (await countSealed(db)).get(2) ?? 0
  const before = await countOld()
  {
    await using workers = await startWorkerProcesses({
      workers: 2,
      environment: { ...environment, METRICS_PORT: 'off' },
    })
    await waitUntil(async () => (await countOld()) < before)
    expect(await countOld()).toBeGreaterThan(0)
    await workers.replaceOne()
    const rotated = await run('admin', 'secret', 'rotate', '--tenant', other.tenant_id)
    expect(rotated.status).toBe(0)
    await waitUntil(async () => (await countOld()) === 0, { within_ms: 60_000 })
  }
  await setClockOffset(db, '10 minutes')
  expect(JSON.parse((await run('admin', 'keyring', 'retire', '--key', '2')).stdout)).toEqual({ retired: 2 })

  const keys = await listKeys()
  expect(keys.map(({ id, state }) => [id, state])).toEqual([
    [1, 'hashes'],
    [2, 'retired'],
    [3, 'seals'],
  ])
  const rows = await db.query<{ sealed: Buffer }>(sql`select sealed from webhook_secrets limit 1000`)
  const opened = await Promise.all(rows.map(({ sealed }) => unsealSecret(keyring, sealed)))
  expect(secrets.filter(({ secret }) => !opened.includes(secret))).toEqual([])
  expect((await (await service.tenant()).post('/v1/verifications', { template: 'age_over_18' })).status).toBe(
    201,
  )
}, 120_000)

test('drill: the command replaces the sandbox issuer of a running service', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  expect(await verify(merchant, service)).toBe('completed')
  const { status, stdout } = await runProgram(
    ['admin', 'sandbox', 'rotate'],
    testEnvironment(service.database_url),
  )

  expect([status, stdout]).toEqual([0, expect.stringContaining('new issuer')])
  await waitUntil(async () => (await verify(merchant, service)) === 'completed')
  expect(await verify(merchant, service)).toBe('completed')
})

test('drill: a new access certificate is rolled out process by process, and no verification fails', async () => {
  await using database = await createTestDatabase()
  const keep = { url: database.url, async [Symbol.asyncDispose]() {} }
  const [old, next] = [newAccessCertificate(), newAccessCertificate()]
  const start = (certificate: typeof old, name: string) =>
    startService({ database: keep, environment: writeFiles(name, certificate) })
  const first = await start(old, 'old')
  const running: Service[] = [first, await start(old, 'old')]
  const merchant = await first.tenant()
  const outcomes: string[] = []
  const clientIds = new Set<string>()
  let finished = false
  const load = async () => {
    while (!finished) {
      // Created by one process and answered by another, as behind a load balancer.
      const [creator = first, responder = first] = running.toSorted(() => Math.random() - 0.5)
      const created = await create(merchantAt(creator, merchant))
      clientIds.add(new URL(created.wallet_uri).searchParams.get('client_id') ?? '')
      outcomes.push(await respondTo(merchantAt(responder, merchant), responder, created))
    }
  }
  const loads = [load(), load(), load()]
  await waitUntil(() => outcomes.length >= 10)
  for (const index of [0, 1]) {
    const [leaving] = running.splice(index, 1, await start(next, 'next'))
    const since = outcomes.length
    // What it began is finished elsewhere or here before it stops.
    await waitUntil(() => outcomes.length >= since + 8)
    await leaving?.[Symbol.asyncDispose]()
  }
  await waitUntil(() => clientIds.has(next.client_id) && outcomes.length >= 40)
  finished = true
  await Promise.all(loads)
  for (const service of running) await service[Symbol.asyncDispose]()

  expect(clientIds).toEqual(new Set([old.client_id, next.client_id]))
  expect(outcomes.filter((status) => status !== 'completed')).toEqual([])
}, 120_000)

function writeFiles(name: string, { chain, key }: { chain: string; key: string }): Record<string, string> {
  const [cert, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  writeFileSync(cert, chain)
  writeFileSync(keyFile, key)
  return { SIGNING_CERT_FILE: cert, SIGNING_KEY_FILE: keyFile }
}

type Created = { id: string; wallet_uri: string }

async function create(merchant: Merchant): Promise<Created> {
  const { status, body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  expect(status).toBe(201)
  return body as Created // the contract's
}

/** A busy machine may refuse a wallet for a moment, which then tries again. Any other error is a failure. */
async function respondTo(merchant: Merchant, service: Service, { id, wallet_uri }: Created): Promise<string> {
  const errors: number[] = []
  const onResponse = ({ status }: Response) => status >= 500 && status !== 503 && errors.push(status)
  const wallet = await openWallet(service.ctx, service.address, { onResponse })
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await wallet.respond(wallet_uri)
    const { status } = (await merchant.get(`/v1/verifications/${id}`)).body as { status: string } // the contract's
    if (errors.length > 0) return `error ${errors[0]}`
    if (status !== 'pending') return status
  }
  return 'pending'
}

async function verify(merchant: Merchant, service: Service): Promise<string> {
  return respondTo(merchant, service, await create(merchant))
}

/** The same key at the address of another process. */
function merchantAt({ address }: Service, merchant: Merchant): Merchant {
  return { ...merchant, ...caller(address, merchant.key) }
}
