import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { testEnvironment } from '../../../test/service.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { joinPem, newAuthority } from '../../../test/trust/authorities.ts'
import { installationActions } from '../../audit/append.ts'
import { openDatabase } from '../../engine/db/open.ts'
import { describeCertificate } from '../../trust/anchors/list-anchors.ts'
import { summaries, type CommandName } from './summaries.ts'

/**
 * What each command leaves in the audit log. A new command does not compile here without a decision.
 * `installation`: an entry in the installation's chain. `tenant`: an entry in the chain of the tenant that it changes.
 * `elsewhere`: what it changes has another record, named here. `nothing`: it changes nothing, or only what any process changes by itself.
 */
const records: Record<CommandName, 'installation' | 'tenant' | 'nothing' | { elsewhere: string }> = {
  migrate: { elsewhere: 'schema_migrations, before there is an audit log' },
  serve: 'nothing',
  work: 'nothing',
  health: 'nothing',
  dev: 'tenant',
  doctor: 'nothing',
  canary: 'tenant',
  listen: 'nothing',
  'config export': 'nothing',
  'config apply': 'tenant',
  'tenant create': 'installation',
  'tenant list': 'nothing',
  'tenant set': 'tenant',
  'tenant quota': 'installation',
  'tenant delete': 'installation',
  'restore apply': { elsewhere: 'audit.restored in every chain' },
  'restore status': 'nothing',
  'tenant move': 'tenant',
  'tenant routes': 'nothing',
  'secret rotate': 'tenant',
  'keyring list': 'nothing',
  'keyring retire': 'installation',
  'keyring rewrap': 'installation',
  'keyring rotate': 'installation',
  'template put': 'tenant',
  'template list': 'nothing',
  'key create': 'tenant',
  'key list': 'nothing',
  'key revoke': 'tenant',
  'client create': 'tenant',
  'client list': 'nothing',
  'client show': 'nothing',
  'client set': 'tenant',
  'client roll-secret': 'tenant',
  'client delete': 'tenant',
  'client rotate-keys': 'tenant',
  'member invite': 'tenant',
  'member list': 'nothing',
  'member remove': 'tenant',
  'sandbox rotate': 'installation',
  'trust add': 'installation',
  'trust list': 'nothing',
  'trust lists': 'nothing',
  // A worker fetches the same lists, which a file of the configuration names.
  'trust refresh': 'nothing',
  'trust remove': 'installation',
  'identity set': 'installation',
  'identity issue': 'tenant',
  'identity remove': 'installation',
  'identity check': 'nothing',
  'registration add': 'tenant',
  'registration list': 'nothing',
  'registration show': 'nothing',
  'registration default': 'tenant',
  'registration assign': 'tenant',
  'registration check': 'tenant',
  'registration set': 'tenant',
  'registration remove': 'tenant',
  'wallet respond': 'tenant',
  'wallet personas': 'nothing',
  'wallet faults': 'nothing',
  'audit verify': 'nothing',
  'audit export': 'nothing',
  'audit check': 'nothing',
  'audit prove': 'nothing',
  'audit public-key': 'nothing',
  'audit rotate-key': 'installation',
}

type Line = {
  entry?: { action: string; actor: string; detail?: Record<string, unknown> }
  texts?: Record<'actor_name' | 'purpose', { text: string } | undefined>
}

test('whatever a command changes in the whole installation has an entry with the name of the user and the reason', async () => {
  await using database = await createTestDatabase()
  await using resources = new AsyncDisposableStack()
  const db = openDatabase({ url: database.url, poolSize: 2 })
  resources.defer(() => db.close())
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-recorded-'))
  resources.defer(() => rmSync(folder, { recursive: true }))
  const ran = new Set<CommandName>()
  const run = async (name: CommandName, ...args: string[]) => {
    const result = await runCommand([...name.split(' '), ...args], testEnvironment(database.url))
    expect([name, result.status, result.stderr]).toEqual([name, 0, ''])
    return result.stdout
  }
  const change = async (name: CommandName, ...args: string[]) => {
    ran.add(name)
    return JSON.parse(await run(name, ...args, '--json', '--reason', `because of ${name}`))
  }

  // A key can be retired once its successor has been known for a while. Nothing is sealed yet.
  const { sealing_key } = await change('keyring rotate')
  await setClockOffset(db, '10 minutes')
  const retired = sealing_key - 1
  await change('keyring retire', '--key', String(retired))
  await change('keyring rewrap')
  await change('sandbox rotate')
  const root = newAuthority('Ministry Root').certificate
  const { fingerprint } = describeCertificate(root)
  const file = join(folder, 'root.pem')
  writeFileSync(file, joinPem(root))
  await change('trust add', '--env', 'live', '--file', file)
  await change('trust remove', '--env', 'live', '--fingerprint', fingerprint)
  const { chain: identityChain, key: identityKey, client_id } = newAccessCertificate()
  const [certFile, keyFile] = [join(folder, 'apple.pem'), join(folder, 'apple.key')]
  writeFileSync(certFile, identityChain)
  writeFileSync(keyFile, identityKey)
  const apple = { ecosystem: 'apple', environment: 'live' }
  const appleOptions = ['--ecosystem', 'apple', '--env', 'live']
  await change('identity set', ...appleOptions, '--cert', certFile, '--key', keyFile)
  await change('identity remove', ...appleOptions)
  const { tenant_id } = await change('tenant create', '--name', 'Shop')
  await change('tenant quota', '--tenant', tenant_id, '--daily-quota', '7')
  await change('tenant delete', '--tenant', tenant_id, '--name', 'Shop')
  await change('audit rotate-key')

  const exported = await run('audit export', '--tenant', 'installation')
  const entries = exported
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
    .filter(({ entry }) => entry !== undefined)
  expect(entries.map(({ entry, texts }) => [texts?.purpose?.text, entry?.action, entry?.detail])).toEqual([
    ['because of keyring rotate', 'installation.keyring_changed', { change: 'rotated', sealing_key }],
    ['because of keyring retire', 'installation.keyring_changed', { change: 'retired', key: retired }],
    ['because of keyring rewrap', 'installation.keyring_changed', { change: 'rewrapped', keys: 2 }],
    ['because of sandbox rotate', 'installation.sandbox_rotated', {}],
    ['because of trust add', 'installation.trust_changed', { environment: 'live', added: [fingerprint] }],
    [
      'because of trust remove',
      'installation.trust_changed',
      { environment: 'live', removed: [fingerprint], roles: ['issuing'] },
    ],
    ['because of identity set', 'installation.identity_changed', { ...apple, client_id }],
    ['because of identity remove', 'installation.identity_changed', { ...apple, client_id: null }],
    ['because of tenant create', 'installation.tenant_created', { tenant_id, plan: 'starter' }],
    ['because of tenant quota', 'installation.tenant_quota_changed', { tenant_id, daily_quota: 7 }],
    ['because of tenant delete', 'installation.tenant_deleted', { tenant_id }],
    [
      'because of audit rotate-key',
      'installation.audit_key_rotated',
      { number: 1, size: expect.any(Number) },
    ],
  ])
  for (const { entry, texts } of entries)
    expect([entry?.actor, texts?.actor_name?.text]).toEqual(['operator', userInfo().username])
  expect(new Set(entries.map(({ entry }) => entry?.action))).toEqual(new Set(installationActions))
  const declared = Object.entries(records).filter(([, where]) => where === 'installation')
  expect(ran).toEqual(new Set(declared.map(([name]) => name)))
  expect(Object.keys(records)).toEqual(Object.keys(summaries))

  const [chain, key] = [join(folder, 'chain.jsonl'), join(folder, 'audit.pem')]
  writeFileSync(chain, exported)
  writeFileSync(key, await run('audit public-key'))
  expect(await run('audit check', chain, '--public-key', key)).toContain('12 entries')
  expect(await run('audit verify', '--tenant', 'installation')).toContain('12 entries, valid')
  expect(await run('audit verify')).toContain(', valid')
})

test('a command that is refused leaves no entry', async () => {
  await using database = await createTestDatabase()
  const run = (...args: string[]) => runCommand(args, testEnvironment(database.url))
  const refused = [
    await run('keyring', 'retire', '--key', '99'),
    await run('trust', 'remove', '--env', 'live', '--fingerprint', 'ab'.repeat(32)),
    await run('tenant', 'quota', '--tenant', crypto.randomUUID(), '--daily-quota', '1'),
    await run('sandbox', 'rotate', '--reason', 'x'.repeat(501)),
  ]

  expect(refused.map(({ status }) => status)).toEqual([1, 1, 1, 2])
  expect((await run('audit', 'verify', '--tenant', 'installation')).stderr).toContain('no audit chain')
})
