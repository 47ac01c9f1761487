import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { testEnvironment } from '../../../test/service.ts'
import { openDatabase } from '../../engine/db/open.ts'
import { sql } from '../../engine/db/sql.ts'
import { UsageError } from './command.ts'
import { keyCreateCommand } from './key.ts'
import { tenantCreateCommand, tenantQuotaCommand } from './tenant.ts'

/** The program with its own database, and access to that database. */
async function openProgram() {
  const database = await createTestDatabase()
  const db = openDatabase({ url: database.url, poolSize: 2 })
  return {
    db,
    run: (...args: string[]) => runCommand(args, testEnvironment(database.url)),
    /** The same in a process of its own. */
    process: (...args: string[]) => runProgram(args, testEnvironment(database.url)),
    async [Symbol.asyncDispose]() {
      await db.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

test("a tenant is created with its plan's quota or its own, listed, and given another quota", async () => {
  await using at = await openProgram()
  const made = await at.process('admin', 'tenant', 'create', '--name', 'Café Zürich', '--json')
  const [own, growth] = await Promise.all([
    at.run('admin', 'tenant', 'create', '--name', 'B', '--plan', 'growth', '--daily-quota', '7', '--json'),
    at.run('admin', 'tenant', 'create', '--name', 'C', '--plan', 'growth', '--json'),
  ])

  const tenant = JSON.parse(made.stdout)
  expect(made).toMatchObject({ status: 0, stderr: '' })
  expect(made.stdout.trim().split('\n')).toHaveLength(1)
  expect(tenant).toEqual({
    tenant_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Café Zürich',
    daily_quota: 1000,
    webhook_secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
    live_webhook_secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
  })
  expect([JSON.parse(own.stdout).daily_quota, JSON.parse(growth.stdout).daily_quota]).toEqual([7, 50_000])

  const quota = await at.process(
    'admin',
    'tenant',
    'quota',
    '--tenant',
    tenant.tenant_id,
    '--daily-quota',
    '0',
  )
  const list = await at.process('admin', 'tenant', 'list')
  expect(quota.status).toBe(0)
  expect(list.stdout.trim().split('\n')).toHaveLength(3)
  expect(list.stdout).toContain(`${tenant.tenant_id}  starter  0  Café Zürich`)
  const entries = await at.db.query(
    sql`select action, actor from audit_inbox where tenant_id = ${tenant.tenant_id} order by id`,
  )
  expect(entries).toEqual([
    { action: 'tenant.created', actor: 'operator' },
    { action: 'tenant.quota_changed', actor: 'operator' },
  ])
})

test('wrong usage is reported before anything is opened: exit status 2, nothing on standard output', async () => {
  const tenant = ['--tenant', randomUUID()]
  const wrong = [
    [tenantCreateCommand, []],
    [tenantCreateCommand, ['--name', '']],
    [tenantCreateCommand, ['--name', 'x', '--daily-quota', '-1']],
    [tenantCreateCommand, ['--name', 'x', '--colour', 'red']],
    [tenantQuotaCommand, ['--tenant', 'me', '--daily-quota', '1']],
    [keyCreateCommand, [...tenant, '--env', 'prod', '--scopes', 'verifications:read']],
    [keyCreateCommand, [...tenant, '--env', 'test', '--scopes', 'everything']],
    [keyCreateCommand, [...tenant, '--env', 'test', '--scopes', '']],
    [keyCreateCommand, [...tenant, '--env', 'test', '--scopes', 'devices:manage', '--expires', '31']],
  ] as const
  for (const [command, args] of wrong) {
    await expect(command.run([...args])).rejects.toThrow(UsageError)
  }

  const { status, stdout, stderr } = await runProgram(['admin', 'tenant', 'create'], {})
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('a failure is exit status 1 with one line on standard error', async () => {
  await using at = await openProgram()
  const failed = await Promise.all([
    at.run('admin', 'tenant', 'create', '--name', 'x', '--plan', 'golden'),
    at.run('admin', 'key', 'revoke', '--tenant', randomUUID(), '--key-id', randomUUID()),
  ])

  for (const { status, stdout, stderr } of failed) {
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
})

test('[AUTH-2] a key is shown once, stored as a hash, listed by its prefix, expires as set, and can be revoked', async () => {
  await using at = await openProgram()
  const { tenant_id } = JSON.parse(
    (await at.run('admin', 'tenant', 'create', '--name', 'A', '--json')).stdout,
  )
  const create = async (run: typeof at.run, ...args: string[]) =>
    JSON.parse(
      (
        await run(
          'admin',
          'key',
          'create',
          '--tenant',
          tenant_id,
          '--env',
          'live',
          '--scopes',
          'verifications:read,devices:manage',
          ...args,
          '--json',
        )
      ).stdout,
    )

  const keys = [await create(at.process), await create(at.run, '--expires', '365', '--name', 'Till 7')]
  expect(keys[0]).toEqual({
    key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    key: expect.stringMatching(/^vk_live_0[0-9A-Za-z]{38}$/),
    prefix: keys[0].key.slice(0, 12),
    scopes: ['verifications:read', 'devices:manage'],
  })
  const days = await at.db.query<{ days: number | null }>(sql`
    select extract(epoch from expires_at - created_at)::integer / 86400 as days from api_keys order by created_at`)
  expect(days.map((row) => row.days)).toEqual([null, 365])
  expect(keys[1].expires_at).toMatch(/^\d{4}-.+\.\d{6}Z$/)

  await at.process('admin', 'key', 'revoke', '--tenant', tenant_id, '--key-id', keys[0].key_id)
  const list = await at.process('admin', 'key', 'list', '--tenant', tenant_id)
  expect(list.stdout.trim().split('\n')).toHaveLength(2)
  expect(list.stdout.split('\n')[0]).toContain('Till 7')
  expect(list.stdout).toMatch(new RegExp(`${keys[0].key_id}  ${keys[0].prefix}…  live  revoked`))
  const dump = JSON.stringify(
    await at.db.query(sql`select to_jsonb(api_keys) as row from api_keys limit 100`),
  )
  for (const { key } of keys) expect(dump).not.toContain(key.slice(12))
})

test('help lists every command on its own line', async () => {
  const { stdout, status } = await runProgram(['help'], {})

  expect(status).toBe(0)
  for (const name of ['login', 'listen', 'migrate', 'serve', 'work', 'admin …']) {
    expect(stdout).toMatch(new RegExp(`^  ${name} {2,}\\S.+[.]$`, 'm'))
  }
  expect(keyCreateCommand.usage('admin key create', 'Creates a key.')).toContain('--expires')
})
