import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { inheritedVariables } from '../../../test/processes/inherited-variables.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startService } from '../../../test/service.ts'

const service = await startService()
const folder = mkdtempSync(join(tmpdir(), 'vidimus-login-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service[Symbol.asyncDispose]()
})

const program = fileURLToPath(new URL('../../main.ts', import.meta.url))
let homes = 0

/** A user with a config folder of their own. */
function newUser() {
  homes += 1
  const XDG_CONFIG_HOME = join(folder, String(homes))
  return { environment: { XDG_CONFIG_HOME }, file: join(XDG_CONFIG_HOME, 'vidimus/credentials.json') }
}

test('`login` checks the key and stores it with the URL for the user alone', async () => {
  const { key } = await service.tenant({ scopes: ['devices:manage'] })
  const { environment, file } = newUser()
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '{', { mode: 0o644 })
  const broken = await runCommand(['config', 'export'], environment)
  expect(broken.stderr).toContain('Delete it and run `vidimus login` again.')

  const ran = await runProgram(['login', '--url', `${service.address}/`, '--key', key], environment)
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  expect(ran.stdout).not.toContain(key)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url: service.address, key })
})

test('`login` reads the key from standard input', async () => {
  const { key } = await service.tenant()
  const { environment, file } = newUser()
  const env = { ...inheritedVariables(), ...environment, VIDIMUS_URL: service.address }
  const child = spawn(process.execPath, [program, 'login'], { env, stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end(`${key}\n`)
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url: service.address, key })
})

test.each([
  ['vk_test_0000000000000000000000000000000000000000', 1, /refused the request: Send a valid key/],
  ['whsec_1', 2, /must begin with vk_test_ or vk_live_/],
])('`login` with the key %s stores nothing', async (key, status, message) => {
  const { environment, file } = newUser()
  const ran = await runCommand(['login', '--url', service.address, '--key', key], environment)
  expect([ran.status, ran.stdout]).toEqual([status, ''])
  expect(ran.stderr).toMatch(message)
  expect(() => statSync(file)).toThrow('ENOENT')
})

test('a stored key goes to its own service only, and variables and options win', async () => {
  const [stored, given] = [await service.tenant(), await service.tenant()]
  const { environment } = newUser()
  await runCommand(['login', '--url', service.address, '--key', stored.key], environment)
  const nameOf = async (variables: Record<string, string>, ...args: string[]) =>
    (await runCommand(['config', 'export', ...args], { ...environment, ...variables })).stdout
  await stored.request('PUT', '/v1/settings/brand', { body: { display_name: 'Stored' } })
  await given.request('PUT', '/v1/settings/brand', { body: { display_name: 'Given' } })

  expect(await nameOf({})).toContain('Stored')
  expect(await nameOf({ VIDIMUS_KEY: given.key })).toContain('Given')
  expect(await nameOf({ VIDIMUS_KEY: stored.key }, '--key', given.key)).toContain('Given')
  const elsewhere = await runCommand(['config', 'export'], {
    ...environment,
    VIDIMUS_URL: 'http://127.0.0.1:9',
  })
  expect([elsewhere.status, elsewhere.stderr]).toEqual([2, expect.stringContaining('--key is missing')])
  const down = await runCommand(
    ['config', 'export', '--url', 'http://127.0.0.1:9', '--key', given.key],
    environment,
  )
  expect([down.status, down.stderr]).toEqual([
    1,
    expect.stringMatching(/^Can't connect to http:\/\/127\.0\.0\.1:9: .+\n$/),
  ])
})

test('`trigger` ends a verification as it was asked to, in one command', { timeout: 60_000 }, async () => {
  const merchant = await service.tenant()
  const environment = { VIDIMUS_URL: service.address, VIDIMUS_KEY: merchant.key }
  const trigger = async (run: typeof runProgram, ...args: string[]) => {
    const { status, stdout, stderr } = await run(['trigger', ...args, '--json'], environment)
    return { exit: status, stderr, ...JSON.parse(stdout) }
  }
  const read = async (id: string) => (await merchant.get(`/v1/verifications/${id}`)).body

  const completed = await trigger(runProgram, 'completed', '--purpose', 'Age check')
  expect(completed).toMatchObject({ exit: 0, status: 'completed', stderr: '' })
  const verification = await read(completed.id)
  expect(verification).toMatchObject({ status: 'completed', purpose: 'Age check', template: 'age_over_18' })
  const failed = await trigger(runCommand, 'failed')
  expect(await read(failed.id)).toMatchObject({ status: 'failed', error: { code: 'holder_declined' } })
  const forged = await trigger(runCommand, 'failed', '--fault', 'issuer_signature')
  expect(await read(forged.id)).toMatchObject({ status: 'failed' })
  const other = await trigger(runCommand, 'completed', '--persona', 'declines')
  expect(other).toMatchObject({ exit: 1, status: 'failed', stderr: expect.stringContaining('not completed') })
  const cancelled = await trigger(runCommand, 'cancelled', '--template', 'identity_basic')
  expect(await read(cancelled.id)).toMatchObject({ status: 'expired', template: 'identity_basic' })
  const expiring = trigger(runProgram, 'expired')
  const pending = async () => (await merchant.get('/v1/verifications?status=pending')).body.data.length
  await expect.poll(pending, { timeout: 20_000 }).toBe(1)
  await setClockOffset(service.ctx.db, '61 seconds')
  expect(await expiring).toMatchObject({ exit: 0, status: 'expired' })
})

test('`logs tail` prints the last requests and each new one, once', { timeout: 60_000 }, async () => {
  const merchant = await service.tenant()
  await merchant.post('/v1/verifications', { template: 'nothing' })
  const env = { ...inheritedVariables(), VIDIMUS_URL: service.address, VIDIMUS_KEY: merchant.key }
  await expect.poll(async () => (await merchant.get('/v1/requests')).body.data.length).toBeGreaterThan(0)
  const child = spawn(process.execPath, [program, 'logs', 'tail', '--status', '4xx'], { env })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  const waiting = { timeout: 20_000, interval: 100 }
  await expect.poll(() => output, waiting).toContain('422  POST  /v1/verifications')
  await merchant.get('/v1/verifications')
  await merchant.get('/v1/verifications/vs_unknown')
  await expect.poll(() => output, waiting).toContain('404  GET  /v1/verifications/{id}')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  const lines = output.trim().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d {2}404 .*session_not_found$/)
})
