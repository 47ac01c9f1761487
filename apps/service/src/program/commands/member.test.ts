import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runCommand } from '../../../test/processes/run-command.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startService, testEnvironment } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'

test('members are listed and removed on the command line, with their keys unless they are kept', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const run = (...args: string[]) => runCommand(args, testEnvironment(service.database_url))
  const runProcess = (...args: string[]) => runProgram(args, testEnvironment(service.database_url))
  const owner = await signIn(service, merchant)
  const developers = [
    await signIn(service, { ...merchant, role: 'developer', email: 'one@example.com' }),
    await signIn(service, { ...merchant, role: 'developer', email: 'two@example.com' }),
  ]
  for (const developer of developers)
    await developer.call('createKey', {
      params: { environment: 'test' },
      body: { name: 'K', scopes: ['verifications:read'] },
    })
  const tenant = ['--tenant', merchant.tenant_id]

  const list = await runProcess('admin', 'member', 'list', ...tenant)
  expect(list.status).toBe(0)
  expect(list.stdout.trim().split('\n')).toHaveLength(3)
  expect(list.stdout).toMatch(/^[0-9a-f-]{36} {2}owner {2}\S+ {2}owner@example\.com {2}The owner$/m)

  const removed = await runProcess(
    'admin',
    'member',
    'remove',
    ...tenant,
    '--email',
    'ONE@example.com',
    '--json',
  )
  expect(JSON.parse(removed.stdout)).toMatchObject({ ended: [{ kind: 'api_key', name: 'K' }], kept: [] })
  const kept = await run(
    'admin',
    'member',
    'remove',
    ...tenant,
    '--email',
    'two@example.com',
    '--keep',
    'api_key',
    '--json',
  )
  expect(JSON.parse(kept.stdout)).toMatchObject({ ended: [], kept: [{ kind: 'api_key' }] })
  for (const developer of developers) expect((await developer.call('getMe')).status).toBe(401)
  const keys = (await owner.call('listKeys', { params: { environment: 'test' } })).body.data
  expect(keys.filter((key: { revoked_at?: string }) => key.revoked_at !== undefined)).toHaveLength(1)

  const wrong = await run(
    'admin',
    'member',
    'remove',
    ...tenant,
    '--email',
    'owner@example.com',
    '--end',
    'keys',
  )
  expect([wrong.status, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--end keys must be one of api_key,'),
  ])

  const last = await run('admin', 'member', 'remove', ...tenant, '--email', 'owner@example.com')
  expect([last.status, last.stderr]).toEqual([1, expect.stringContaining('This is the last owner.')])
  const missing = [
    await run('admin', 'member', 'remove', ...tenant, '--email', 'nobody@example.com'),
    await run('admin', 'member', 'list', '--tenant', randomUUID()),
  ]
  for (const { status, stdout, stderr } of missing) {
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
})

test('[TEN-1] a tenant is deleted on the command line only under its exact name', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const run = (...args: string[]) => runCommand(args, testEnvironment(service.database_url))
  const runProcess = (...args: string[]) => runProgram(args, testEnvironment(service.database_url))
  const tenant = ['--tenant', merchant.tenant_id]

  expect((await run('admin', 'tenant', 'delete', ...tenant)).status).toBe(2)
  const wrong = await run('admin', 'tenant', 'delete', ...tenant, '--name', 'Another')
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('Nothing was deleted.')])
  expect((await merchant.get('/v1/verifications')).status).toBe(200)

  const deleted = await runProcess('admin', 'tenant', 'delete', ...tenant, '--name', 'A merchant')
  expect([deleted.status, deleted.stdout]).toEqual([0, expect.stringContaining('A merchant was deleted')])
  expect((await merchant.get('/v1/verifications')).status).toBe(401)
  expect((await run('admin', 'tenant', 'list')).stdout).not.toContain(merchant.tenant_id)
})
