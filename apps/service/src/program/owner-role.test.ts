import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { connectAsAdmin } from '../../test/database/postgres.ts'
import { createTestDatabase } from '../../test/database/test-database.ts'
import { startProcesses } from '../../test/processes/processes.ts'
import { runProgram } from '../../test/processes/run-program.ts'
import { startProgram } from '../../test/processes/start-program.ts'
import { testEnvironment } from '../../test/service.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { openWallet } from '../../test/wallet.ts'

test('the owner of the database runs everything, without superuser, other rights or an extension', async () => {
  await using database = await createTestDatabase({ empty: true })
  await using stack = new AsyncDisposableStack()
  const role = `vidimus_owner_${randomBytes(6).toString('hex')}`
  const admin = stack.use(await connectAsAdmin())
  await admin.query(`create role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls`)
  await admin.query(`alter database ${database.name} owner to ${role}`)
  stack.defer(async () => {
    await admin.query(`drop database ${database.name} with (force)`)
    await admin.query(`create database ${database.name}`)
    await admin.query(`drop role ${role}`)
  })
  const url = new URL(database.url)
  url.username = role
  const environment = testEnvironment(url.href)

  expect(await runProgram(['migrate'], environment)).toMatchObject({ status: 0 })
  const own = { url: url.href, async [Symbol.asyncDispose]() {} }
  const service = stack.use(await startProcesses(1, { database: own }))
  const work = stack.use(startProgram({ args: ['work'], environment }))
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const wallet = await openWallet(service.ctx, service.processes[0]?.address ?? '')
  await wallet.respond(body.wallet_uri)
  expect((await merchant.get(`/v1/verifications/${body.id}`)).body.status).toBe('completed')
  expect((await merchant.delete(`/v1/verifications/${body.id}`)).status).toBe(200)
  await waitUntil(() => work.output().includes('Vidimus worker is running.'), { within_ms: 60_000 })
  await waitUntil(async () => (await runProgram(['admin', 'audit', 'verify'], environment)).status === 0, {
    within_ms: 30_000,
  })

  const { stdout } = await runProgram(['doctor'], environment)
  expect(stdout).toMatch(new RegExp(`connected to PostgreSQL \\S+.* as ${role}`))
  expect(stdout).not.toMatch(/WRONG +database/)
  for (const log of [work.output(), service.processes[0]?.log() ?? ''])
    expect(log.match(/permission denied|must be (?:owner|superuser)/g) ?? []).toEqual([])
  const { rows } = await admin.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_roles where rolname = $1',
    [role],
  )
  expect(rows).toEqual([{ rolsuper: false }])
})
