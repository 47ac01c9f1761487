import { expect, test } from 'vitest'
import { runCommand } from '../../../test/processes/run-command.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startService, testEnvironment } from '../../../test/service.ts'
import { authenticateClient } from '../../holder/openid-provider/clients/authenticate-client.ts'
import { listClients } from '../../holder/openid-provider/clients/list-clients.ts'

/** Most commands are a process of their own. */
const timeout_ms = 300_000

test('a client is managed on the command line', { timeout: timeout_ms }, async () => {
  await using service = await startService()
  const { tenant_id } = await service.tenant()
  const environment = testEnvironment(service.database_url)
  const run = (...args: string[]) => runProgram(['client', ...args, '--tenant', tenant_id], environment)
  const runHere = (...args: string[]) => runCommand(['client', ...args, '--tenant', tenant_id], environment)
  const given = ['--env', 'test', '--name', 'Shop', '--redirect-uris', 'https://shop.example/a']

  const created = await run('create', ...given, '--templates', 'age_over_18, identity_basic')
  expect(created.status).toBe(0)
  const value = (label: string) => new RegExp(`^${label} +(.+)$`, 'm').exec(created.stdout)?.[1]
  const [client_id = '', secret] = [value('client id'), value('client secret')]
  expect(value('issuer')).toMatch(new RegExp(`/oidc/.?${tenant_id}$`))
  expect(value('discovery')).toBe(`${value('issuer')}/.well-known/openid-configuration`)
  expect(created.stdout).toContain('scope          openid vidimus:identity_basic\n')
  const accepts = async (presented: string | undefined) =>
    (await authenticateClient(service.ctx, { tenant_id, client_id, secret: presented })) !== undefined
  expect(await accepts(secret)).toBe(true)

  expect((await run('list')).stdout).toContain(`${client_id}  test  vidimus:age_over_18`)
  const shown = await run('show', '--client', client_id)
  expect(shown.stdout).toContain('https://shop.example/a')
  expect(shown.stdout).not.toContain(secret)
  const set = await run(
    'set',
    '--client',
    client_id,
    '--name',
    'New shop',
    '--subject-claim',
    'family_name',
    '--templates',
    'identity_basic',
    '--json',
  )
  expect(JSON.parse(set.stdout)).toMatchObject({
    name: 'New shop',
    subject_claim: 'family_name',
    cross_device: false,
  })
  const anyDevice = await runHere('set', '--client', client_id, '--cross-device', 'on')
  expect(anyDevice.stdout).toContain('devices        any: a QR code that is passed on signs its sender in')
  const withoutPkce = await runHere('set', '--client', client_id, '--pkce', 'off')
  expect(withoutPkce.stdout).toContain('pkce           not required')
  const unset = await runHere('set', '--client', client_id, '--subject-claim', '', '--json')
  expect(JSON.parse(unset.stdout)).not.toHaveProperty('subject_claim')

  const rolled = JSON.parse(
    (await run('roll-secret', '--client', client_id, '--overlap', '0', '--json')).stdout,
  )
  expect([await accepts(secret), await accepts(rolled.secret)]).toEqual([false, true])
  expect(JSON.parse((await run('rotate-keys', '--json')).stdout).key_ids).toHaveLength(2)
  expect((await run('delete', '--client', client_id)).status).toBe(0)
  expect(await accepts(rolled.secret)).toBe(false)

  const wrong = [
    await runHere(
      'create',
      ...given.slice(0, 4),
      '--redirect-uris',
      'http://shop.example/',
      '--templates',
      'age_over_18',
    ),
    await runHere('set', '--client', client_id),
    await runHere('roll-secret', '--client', client_id, '--overlap', '5'),
    await runHere('set', '--client', client_id, '--cross-device', 'yes'),
  ]
  expect(wrong.map(({ status }) => status)).toEqual([2, 2, 2, 2])
  expect(wrong[0]?.stderr).toContain('--redirect-uris: must be https')
  const missing = await runHere('show', '--client', client_id)
  expect([missing.status, missing.stderr.trim()]).toEqual([1, 'There is no such OpenID client.'])
})

test(
  'a command without BASE_URL says for which address the issuer is shown, and in production does nothing',
  { timeout: timeout_ms },
  async () => {
    await using service = await startService()
    const { tenant_id } = await service.tenant()
    const create = (environment: Record<string, string>) =>
      runProgram(
        `client create --tenant ${tenant_id} --env test --name Shop --json --redirect-uris https://shop.example/a --templates age_over_18`.split(
          ' ',
        ),
        testEnvironment(service.database_url, environment),
      )
    const local = await create({})
    expect(JSON.parse(local.stdout).client.issuer).toMatch(/^http:\/\/localhost:8080\/oidc\//)
    expect(local.stderr).toMatch(
      /^BASE_URL is not set, so the issuer is shown for http:\/\/localhost:8080\..*client show/,
    )
    const named = await create({ BASE_URL: 'https://verify.example' })
    expect(JSON.parse(named.stdout).client.issuer).toMatch(/^https:\/\/verify\.example\/oidc\//)
    expect(named.stderr).toBe('')

    const production = await create({ NODE_ENV: 'production' })
    expect(production).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Set BASE_URL to the public URL of the service: the issuer begins with it.\n',
    })
    expect(await listClients(service.ctx, { tenant_id })).toHaveLength(2)
  },
)
