import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { changedTables, digestTables, prepareDigests } from '../../../test/database/table-digests.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { startService, testEnvironment } from '../../../test/service.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { joinPem, newAuthority } from '../../../test/trust/authorities.ts'
import { installationActions } from '../../audit/append.ts'
import { openDatabase } from '../../engine/db/open.ts'
import { sql } from '../../engine/db/sql.ts'
import { describeCertificate } from '../../trust/anchors/list-anchors.ts'
import { openSandboxIssuer } from '../../trust/index.ts'
import { summaries, type CommandName } from './summaries.ts'

/** What the commands are run with that change nothing. */
type Given = { tenant_id: string; verification_id: string; certificate: string }

/**
 * What each command leaves in the audit log. A new command does not compile here without a decision.
 * `installation`: an entry in the installation's chain. `tenant`: an entry in the chain of the tenant that it changes.
 * `elsewhere`: what it changes has another record, named here. `reads`: it changes nothing, and is run with these arguments to show it.
 * `not_run`: it changes nothing, or only what any process changes by itself, and this is why that is not shown.
 */
type Recorded =
  | 'installation'
  | 'tenant'
  | { elsewhere: string }
  | { reads: (given: Given) => string[] }
  | { not_run: string }

const plainly = { reads: () => [] }
const ofTenant = { reads: ({ tenant_id }: Given) => ['--tenant', tenant_id] }
const untilSignal = { not_run: 'runs until a signal' }

const records: Record<CommandName, Recorded> = {
  dev: 'tenant',
  login: { not_run: 'writes a file of the user' },
  trigger: 'tenant',
  listen: untilSignal,
  'logs tail': untilSignal,
  mcp: 'tenant',
  'config export': plainly,
  'config apply': 'tenant',
  'wallet respond': 'tenant',
  'wallet personas': plainly,
  'wallet faults': plainly,
  'sealing-key create': { not_run: 'has no database' },
  'sealing-key register': 'tenant',
  'sealing-key list': 'tenant',
  'result open': { not_run: 'has no database' },
  'receipt check': { not_run: 'has no database' },
  'audit check': { not_run: 'has no database' },
  migrate: { elsewhere: 'schema_migrations, before there is an audit log' },
  serve: untilSignal,
  work: untilSignal,
  health: { not_run: 'has no database' },
  doctor: plainly,
  'admin canary': 'tenant',
  'admin tenant create': 'installation',
  'admin tenant list': plainly,
  'admin tenant show': ofTenant,
  'admin tenant quota': 'installation',
  'admin tenant plan': 'installation',
  'admin tenant suspend': 'installation',
  'admin tenant resume': 'installation',
  'admin tenant approve': 'installation',
  'admin tenant refuse': 'installation',
  'admin tenant close': 'installation',
  'admin tenant delete': 'installation',
  'admin tenant move': { elsewhere: 'installation.tenant_moved of both cells: tenant-moves/move.test.ts' },
  'admin tenant routes': plainly,
  'admin operator add': 'installation',
  'admin operator invite': 'installation',
  'admin operator list': plainly,
  'admin operator role': 'installation',
  'admin operator remove': 'installation',
  'admin usage': { reads: () => ['--month', new Date().toISOString().slice(0, 7), '--days'] },
  'admin plan list': plainly,
  'admin plan set': 'installation',
  'admin plan remove': 'installation',
  'admin restore apply': { elsewhere: 'installation.restored: restore/apply.test.ts' },
  'admin restore status': plainly,
  'admin secret rotate': 'installation',
  'admin keyring list': plainly,
  'admin keyring retire': 'installation',
  'admin keyring rewrap': 'installation',
  'admin keyring rotate': 'installation',
  'admin key create': 'tenant',
  'admin key list': ofTenant,
  'admin key revoke': 'tenant',
  'admin openid rotate-keys': 'tenant',
  'admin member invite': 'tenant',
  'admin member list': ofTenant,
  'admin member remove': 'tenant',
  'admin sandbox rotate': 'installation',
  'admin trust add': 'installation',
  'admin trust list': plainly,
  'admin trust lists': plainly,
  'admin trust refresh': {
    not_run: 'a worker fetches the same lists, which a file of the configuration names',
  },
  'admin trust remove': 'installation',
  'admin identity set': 'installation',
  'admin identity issue': 'tenant',
  'admin identity remove': 'installation',
  'admin identity check': { reads: ({ certificate }) => ['--cert', certificate] },
  'admin logs slow': { not_run: 'has no database' },
  'admin logs verification': { reads: ({ verification_id }) => [verification_id] },
  'admin audit verify': plainly,
  'admin audit export': ofTenant,
  'admin audit prove': { reads: ({ tenant_id }) => ['--tenant', tenant_id, '--entry', '1'] },
  'admin audit public-key': plainly,
  'admin audit rotate-key': 'installation',
}

/** Recorded on the console, by moves and after restores, whose tests expect each of them. */
const otherActions = installationActions.filter((action) =>
  /operator_(?:joined|signed|sign_in|passkey|token)|deletion_|owner_invited|tenant_moved|restored|support_/.test(
    action,
  ),
)

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
    return JSON.parse(await run(name, ...args, '--json', '--reason', `because of ${name}`, '--as', 'Ada'))
  }

  // A key can be retired once its successor has been known for a while. Nothing is sealed yet.
  const { sealing_key } = await change('admin keyring rotate')
  await setClockOffset(db, '10 minutes')
  const retired = sealing_key - 1
  await change('admin keyring retire', '--key', String(retired))
  await change('admin keyring rewrap')
  await change('admin sandbox rotate')
  const root = newAuthority('Ministry Root').certificate
  const { fingerprint } = describeCertificate(root)
  const file = join(folder, 'root.pem')
  writeFileSync(file, joinPem(root))
  await change('admin trust add', '--env', 'live', '--file', file)
  await change('admin trust remove', '--env', 'live', '--fingerprint', fingerprint)
  const { chain: identityChain, key: identityKey, client_id } = newAccessCertificate()
  const [certFile, keyFile] = [join(folder, 'apple.pem'), join(folder, 'apple.key')]
  writeFileSync(certFile, identityChain)
  writeFileSync(keyFile, identityKey)
  const apple = { ecosystem: 'apple', environment: 'live' }
  const appleOptions = ['--ecosystem', 'apple', '--env', 'live']
  await change('admin identity set', ...appleOptions, '--cert', certFile, '--key', keyFile)
  await change('admin identity remove', ...appleOptions)
  const { tenant_id } = await change('admin tenant create', '--name', 'Shop')
  await change('admin tenant quota', '--tenant', tenant_id, '--daily-quota', '7')
  await change('admin plan set', '--name', 'small', '--daily-quota', '5')
  await change('admin tenant plan', '--tenant', tenant_id, '--plan', 'growth')
  await change('admin plan remove', '--name', 'small')
  await change('admin secret rotate', '--tenant', tenant_id)
  await db.execute(sql`update tenants set approval = 'pending' where id = ${tenant_id}`)
  await change('admin tenant refuse', '--tenant', tenant_id)
  await change('admin tenant approve', '--tenant', tenant_id)
  await change('admin tenant suspend', '--tenant', tenant_id)
  await change('admin tenant resume', '--tenant', tenant_id)
  await change('admin tenant close', '--tenant', tenant_id)
  await change('admin tenant delete', '--tenant', tenant_id, '--name', 'Shop')
  await change('admin audit rotate-key')
  const email = 'ada@operator.example'
  const { operator_id } = await change(
    'admin operator add',
    '--name',
    'Ada',
    '--email',
    email,
    '--role',
    'owner',
  )
  const second = 'bea@operator.example'
  const bea = ['--name', 'Bea', '--email', second, '--role', 'support', '--json']
  const other = await run('admin operator add', ...bea, '--as', 'Ada', '--reason', 'second')
  const { operator_id: second_id } = JSON.parse(other)
  await change('admin operator invite', '--email', second)
  await change('admin operator role', '--email', second, '--role', 'owner')
  await change('admin operator remove', '--email', email)

  const exported = await run('admin audit export', '--tenant', 'installation')
  const entries = exported
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
    .filter(({ entry }) => entry !== undefined)
  expect(entries.map(({ entry, texts }) => [texts?.purpose?.text, entry?.action, entry?.detail])).toEqual([
    ['because of admin keyring rotate', 'installation.keyring_changed', { change: 'rotated', sealing_key }],
    ['because of admin keyring retire', 'installation.keyring_changed', { change: 'retired', key: retired }],
    ['because of admin keyring rewrap', 'installation.keyring_changed', { change: 'rewrapped', keys: 2 }],
    ['because of admin sandbox rotate', 'installation.sandbox_rotated', {}],
    [
      'because of admin trust add',
      'installation.trust_changed',
      { environment: 'live', added: [fingerprint] },
    ],
    [
      'because of admin trust remove',
      'installation.trust_changed',
      { environment: 'live', removed: [fingerprint], roles: ['issuing'] },
    ],
    ['because of admin identity set', 'installation.identity_changed', { ...apple, client_id }],
    ['because of admin identity remove', 'installation.identity_changed', { ...apple, client_id: null }],
    ['because of admin tenant create', 'installation.tenant_created', { tenant_id, plan: 'starter' }],
    ['because of admin tenant quota', 'installation.tenant_quota_changed', { tenant_id, daily_quota: 7 }],
    [
      'because of admin plan set',
      'installation.plan_changed',
      expect.objectContaining({ plan: 'small', daily_quota: 5, keys: 100 }),
    ],
    ['because of admin tenant plan', 'installation.tenant_plan_changed', { tenant_id, plan: 'growth' }],
    ['because of admin plan remove', 'installation.plan_changed', { plan: 'small', removed: true }],
    ...(['test', 'live'] as const).map((environment) => [
      'because of admin secret rotate',
      'installation.webhook_secret_rotated',
      { tenant_id, environment },
    ]),
    ...(['refuse', 'approve'] as const).map((name) => [
      `because of admin tenant ${name}`,
      'installation.tenant_approval_changed',
      { tenant_id, approval: { refuse: 'refused', approve: 'approved' }[name] },
    ]),
    ...(['suspend', 'resume', 'close'] as const).map((name) => [
      `because of admin tenant ${name}`,
      'installation.tenant_state_changed',
      { tenant_id, state: { suspend: 'suspended', resume: 'active', close: 'closed' }[name] },
    ]),
    ['because of admin tenant delete', 'installation.tenant_deleted', { tenant_id }],
    [
      'because of admin audit rotate-key',
      'installation.audit_key_rotated',
      { number: 1, size: expect.any(Number) },
    ],
    ['because of admin operator add', 'installation.operator_added', { operator_id, role: 'owner' }],
    ['second', 'installation.operator_added', { operator_id: second_id, role: 'support' }],
    ['because of admin operator invite', 'installation.operator_invited', { operator_id: second_id }],
    [
      'because of admin operator role',
      'installation.operator_role_changed',
      { operator_id: second_id, from: 'support', to: 'owner', tokens: 0 },
    ],
    ['because of admin operator remove', 'installation.operator_removed', { operator_id, role: 'owner' }],
  ])
  for (const { entry, texts } of entries)
    expect([entry?.actor, texts?.actor_name?.text]).toEqual(['operator', `Ada (${userInfo().username})`])
  const recorded = new Set<string | undefined>(entries.map(({ entry }) => entry?.action))
  expect(installationActions.filter((action) => !recorded.has(action))).toEqual(otherActions)
  const declared = Object.entries(records).filter(([, where]) => where === 'installation')
  expect(ran).toEqual(new Set(declared.map(([name]) => name)))
  expect(Object.keys(records)).toEqual(Object.keys(summaries))

  const [chain, key] = [join(folder, 'chain.jsonl'), join(folder, 'audit.pem')]
  writeFileSync(chain, exported)
  writeFileSync(key, await run('admin audit public-key'))
  expect(await run('audit check', chain, '--public-key', key)).toContain('27 entries')
  expect(await run('admin audit verify', '--tenant', 'installation')).toContain('27 entries, valid')
  expect(await run('admin audit verify')).toContain(', valid')
})

test('a command that is refused leaves no entry', async () => {
  await using database = await createTestDatabase()
  const run = (...args: string[]) => runCommand(args, testEnvironment(database.url))
  const refused = [
    await run('admin', 'keyring', 'retire', '--key', '99'),
    await run('admin', 'trust', 'remove', '--env', 'live', '--fingerprint', 'ab'.repeat(32)),
    await run('admin', 'tenant', 'quota', '--tenant', crypto.randomUUID(), '--daily-quota', '1'),
    await run('admin', 'sandbox', 'rotate', '--reason', 'x'.repeat(501)),
  ]

  expect(refused.map(({ status }) => status)).toEqual([1, 1, 1, 2])
  expect((await run('admin', 'audit', 'verify', '--tenant', 'installation')).stderr).toContain(
    'no audit chain',
  )
})

test('a command that is declared to change nothing changes no table', { timeout: 120_000 }, async () => {
  await using database = await createTestDatabase()
  await using service = await startService({
    database: { ...database, [Symbol.asyncDispose]: async () => {} },
  })
  await using resources = new AsyncDisposableStack()
  const { db } = service.ctx
  await prepareDigests(db)
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-read-'))
  resources.defer(() => rmSync(folder, { recursive: true }))
  const certificate = join(folder, 'chain.pem')
  writeFileSync(certificate, newAccessCertificate().chain)
  const given = { tenant_id: merchant.tenant_id, verification_id: body.id, certificate }
  const environment = { VIDIMUS_URL: service.address, VIDIMUS_KEY: merchant.key }
  const run = (name: string, args: string[]) =>
    runCommand([...name.split(' '), ...args], testEnvironment(database.url, environment))
  const changedBy = async (name: string, args: string[]) => {
    const before = await digestTables(db)
    const { status, stderr } = await run(name, args)
    return { name, status, stderr, changed: changedTables(before, await digestTables(db)) }
  }
  // What the first process that asks does for all: the sandbox issuer is made, and entries that wait are chained.
  await openSandboxIssuer(service.ctx)
  await run('admin audit verify', [])

  // Of the settings and the certificate of a test.
  const findsFault = ['doctor', 'admin identity check']
  const results: unknown[] = []
  for (const [name, recorded] of Object.entries(records)) {
    if (typeof recorded === 'string' || !('reads' in recorded)) continue
    const { stderr, ...result } = await changedBy(name, recorded.reads(given))
    const expected = { name, status: findsFault.includes(name) ? 1 : 0, changed: [] }
    if (JSON.stringify(result) !== JSON.stringify(expected)) results.push({ ...result, stderr })
  }
  expect(results).toEqual([])

  const { changed } = await changedBy('admin plan set', ['--name', 'planted'])
  expect(changed.toSorted()).toEqual(['audit_inbox', 'plans'])
})
