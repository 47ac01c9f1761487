import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../../../test/processes/run-command.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startService, testEnvironment } from '../../../test/service.ts'
import { newRegistration } from '../../../test/trust/registrations.ts'
import { UsageError } from './command.ts'
import { registrationAssignCommand, registrationSetCommand } from './registration.ts'

const service = await startService()
const folder = mkdtempSync(join(tmpdir(), 'vidimus-registration-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service[Symbol.asyncDispose]()
})

test(
  '`registration` adds, lists, shows, assigns, checks and removes registrations',
  { timeout: 120_000 },
  async () => {
    const { tenant_id } = await service.tenant()
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const file = write('certificate.jwt', `${newRegistration()}\n`)
    const dataset = write('dataset.json', '{"identifier":"NTRUT-1234"}')
    const runWith =
      (runner: typeof runProgram) =>
      async (verb: string, ...args: string[]) => {
        const given = ['registration', verb, '--tenant', tenant_id, ...args, '--json']
        const { status, stdout, stderr } = await runner(given, testEnvironment(service.database_url))
        return { status, stderr, result: stdout === '' ? undefined : JSON.parse(stdout) }
      }
    const [run, runHere] = [runWith(runProgram), runWith(runCommand)]
    const added = await run('add', '--file', file, '--dataset', dataset, '--name', 'Wine')
    expect(added).toMatchObject({ status: 0, result: { name: 'Wine', default: true, has_dataset: true } })
    const { id } = added.result
    expect(await run('list')).toMatchObject({ result: { id, state: 'warning' } })
    expect(await run('assign', '--template', 'age_over_18', '--id', id)).toMatchObject({
      result: { key: 'age_over_18', registration: { id, assigned: true } },
    })
    const refused = await runHere('remove', '--id', id)
    expect(refused).toMatchObject({ status: 1, result: undefined })
    expect(refused.stderr).toContain('age_over_18')
    await runHere('assign', '--template', 'age_over_18', '--id', 'default')
    expect(await run('set', '--policy', 'refuse')).toMatchObject({
      result: { encoding: 'base64url', policy: 'refuse' },
    })
    expect(await run('check', '--id', id)).toMatchObject({
      status: 0,
      result: { id, use: { name: 'Corner Shop' } },
    })
    expect(await run('remove', '--id', id)).toMatchObject({ status: 0 })
    expect(await run('show', '--id', id)).toMatchObject({ status: 1, result: undefined })
    const expired = write('expired.jwt', newRegistration({}, { fault: 'expired' }))
    const rejected = await runHere('add', '--file', expired)
    expect(rejected).toMatchObject({ status: 1, result: undefined })
    expect(rejected.stderr).toContain('It has expired')
  },
)

test.each([
  [registrationSetCommand, []],
  [registrationSetCommand, ['--policy', 'ignore']],
  [registrationSetCommand, ['--encoding', 'cwt']],
  [registrationAssignCommand, ['--template', 'age_over_18', '--id', 'first']],
])('`registration` %# is used wrongly with %j', async (command, args) => {
  const given = ['--tenant', '00000000-0000-4000-8000-000000000000', ...args]
  await expect(command.run(given)).rejects.toThrow(UsageError)
})
