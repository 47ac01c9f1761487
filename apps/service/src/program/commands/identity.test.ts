import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportPem, toPem } from '@vidimus/sandbox'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../../../test/processes/run-command.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startService, testEnvironment } from '../../../test/service.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { newAuthority } from '../../../test/trust/authorities.ts'

const service = await startService()
const folder = mkdtempSync(join(tmpdir(), 'vidimus-identities-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service[Symbol.asyncDispose]()
})

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const { chain, key } = newAccessCertificate({ days: 300 })
const pair = ['--cert', write('apple.pem', chain), '--key', write('apple.key', key)]
const run = (verb: string, ...args: string[]) =>
  runCommand(['admin', 'identity', verb, ...args], testEnvironment(service.database_url))

test(
  '`identity` sets, issues, checks and removes identities, of a tenant and of the operator',
  { timeout: 60_000 },
  async () => {
    const { tenant_id } = await service.tenant()
    const apple = ['--env', 'live', '--ecosystem', 'apple']
    const set = await runProgram(
      ['admin', 'identity', 'set', ...apple, ...pair, '--tenant', tenant_id, '--json'],
      testEnvironment(service.database_url),
    )
    expect(set.status).toBe(0)
    expect(JSON.parse(set.stdout)).toMatchObject({ ecosystem: 'apple', environment: 'live', own: true })

    const registrar = newAuthority('Verifier registrar')
    const issued = await run(
      'issue',
      '--env',
      'live',
      '--tenant',
      tenant_id,
      '--registrar-cert',
      write('registrar.pem', toPem(registrar.certificate)),
      '--registrar-key',
      write('registrar.key', exportPem(registrar.key)),
      '--name',
      'Corner Shop',
      '--logo',
      'https://shop.example/l.png',
      '--privacy',
      'https://shop.example/p',
    )
    expect(issued).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('nothing is known against it'),
    })

    const checked = await run('check', '--tenant', tenant_id)
    expect(checked.stdout.match(/^(eu|apple|google)\b/gm)).toEqual(['eu', 'apple', 'google'])
    // The access certificate of the test is self-made, which the rules for the EU's wallets refuse.
    expect(checked).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('refused: It has none of the policies'),
    })

    expect(await run('set', ...apple, ...pair, '--reason', 'for all')).toMatchObject({ status: 0 })
    expect((await run('check')).stdout).toMatch(/^apple {3}live/)
    for (const owner of [['--tenant', tenant_id], []])
      expect(await run('remove', ...apple, ...owner)).toMatchObject({ status: 0 })
    expect(await run('check')).toEqual({ status: 0, stdout: '', stderr: '' })
  },
)

test('`admin identity check` says what is wrong with a file before it is set', async () => {
  const [, file = ''] = pair
  expect(await run('check', '--cert', file, '--ecosystem', 'iso')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('refused: Its extended key usage is not that of an mdoc reader'),
  })
  expect(await run('check', '--cert', file, '--ecosystem', 'apple')).toMatchObject({ status: 0 })
  expect(await run('check', '--cert', write('text', 'nothing'), '--ecosystem', 'eu')).toMatchObject({
    status: 1,
  })
})

test.each([
  [['--ecosystem', 'nokia', '--env', 'live', ...pair], '--ecosystem must be'],
  [['--ecosystem', 'apple', '--env', 'live', ...pair.slice(0, 2)], 'Give either --key or --key-uri'],
  [['--ecosystem', 'apple', '--env', 'live', ...pair, '--key-uri', 'pkcs11:x'], 'Give either'],
  [
    ['--ecosystem', 'apple', '--env', 'live', ...pair.slice(0, 2), '--key-uri', 'x'],
    'must begin with pkcs11:',
  ],
])('`admin identity set` with %j is refused', async (args, message) => {
  const { status, stderr } = await run('set', ...args)
  expect(status).toBeGreaterThan(0)
  expect(stderr).toContain(message)
})
