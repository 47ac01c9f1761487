import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insertEntries, openAuditFixture } from '../../../../test/audit/audit.ts'
import { runCommand } from '../../../../test/processes/run-command.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { testEnvironment } from '../../../../test/service.ts'
import { sql } from '../../../engine/db/sql.ts'
import { createTenant } from '../../../accounts/tenants/create.ts'

/** Recipients check without the installation. */
const auditCommand = (args: string[]) => [...(args[0] === 'check' ? [] : ['admin']), 'audit', ...args]

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-audit-'))
  const checkpoints = join(folder, 'checkpoints')
  const audit = await openAuditFixture({ AUDIT_CHECKPOINT_DIR: checkpoints })
  const { tenant_id } = await createTenant(audit.ctx, { name: 'A merchant' })
  await insertEntries(audit.ctx.db, [tenant_id], 9)
  const environment = testEnvironment(audit.database_url, { AUDIT_CHECKPOINT_DIR: checkpoints })
  return {
    ...audit,
    tenant_id,
    folder,
    checkpoints,
    /** Runs a command with the service's database. */
    vidimus: (...args: string[]) => runCommand(auditCommand(args), environment),
    /** The same in a process of its own. */
    process: (...args: string[]) => runProgram(auditCommand(args), environment),
    /** Runs a command without any configuration. */
    withoutConfiguration: (...args: string[]) => runCommand(auditCommand(args), {}),
    async file(name: string, text: string) {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    },
    async [Symbol.asyncDispose]() {
      await audit[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

test(
  'an export needs no worker, and can be checked elsewhere with only the public key',
  { timeout: 120_000 },
  async () => {
    await using at = await setUp()
    const exported = await at.process('export', '--tenant', at.tenant_id)
    const pem = await at.process('public-key')
    expect([exported.status, exported.stderr, pem.status]).toEqual([0, '', 0])
    expect(pem.stdout).toMatch(/^-----BEGIN PUBLIC KEY-----\n\S+\n-----END PUBLIC KEY-----\n$/)
    const file = await at.file('chain.jsonl', exported.stdout)
    const key = await at.file('key.pem', pem.stdout)

    const checked = await runProgram(['audit', 'check', file, '--public-key', key, '--json'], {})
    expect([checked.status, checked.stderr]).toEqual([0, ''])
    expect(JSON.parse(checked.stdout)).toMatchObject({ valid: true, entries: 10, removed: 0 })

    const verified = await at.process('verify', '--tenant', at.tenant_id, '--json')
    expect(JSON.parse(verified.stdout)).toEqual({
      entries: 10,
      valid: true,
      head: JSON.parse(checked.stdout).head,
      removed: 0,
      abandoned: [],
      faults: [],
    })
    const altered = await at.file('altered.jsonl', exported.stdout.replace('Age check', 'Age chock'))
    const refused = await at.withoutConfiguration('check', altered, `--public-key=${pem.stdout}`)
    expect([refused.status, refused.stdout.split('\n')[0]]).toEqual([1, '10 entries, NOT VALID'])
    expect(refused.stderr).toMatch(/^line \d+: entry \d+: its texts do not match its commitments\n$/)
  },
)

test('truncation is detected with a saved checkpoint, and only with it', { timeout: 120_000 }, async () => {
  await using at = await setUp()
  const before = await at.vidimus('export', '--tenant', at.tenant_id)
  await insertEntries(at.ctx.db, [at.tenant_id], 3)
  await at.vidimus('verify', '--tenant', at.tenant_id)
  const saved = join(at.checkpoints, 'latest.checkpoint')
  expect((await readdir(at.checkpoints)).toSorted()).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\dZ\.checkpoint$/),
    'latest.checkpoint',
  ])
  const key = await at.file('key.pem', (await at.vidimus('public-key')).stdout)
  const old = await at.file('old.jsonl', before.stdout)

  expect((await at.withoutConfiguration('check', old, '--public-key', key)).status).toBe(0)
  const caught = await at.withoutConfiguration('check', old, '--public-key', key, '--checkpoint', saved)
  expect([caught.status, caught.stderr]).toEqual([1, expect.stringContaining('its end was cut off')])

  const kept = await at.file('kept.checkpoint', await readFile(saved, 'utf8'))
  await insertEntries(at.ctx.db, [at.tenant_id], 1)
  const since = await at.vidimus('export', '--tenant', at.tenant_id, '--checkpoint', kept)
  const whole = await at.file('whole.jsonl', since.stdout)
  expect(
    (await at.withoutConfiguration('check', whole, '--public-key', key, '--checkpoint', kept)).status,
  ).toBe(0)
})

test('a single line proves one entry or the growth of the log', { timeout: 120_000 }, async () => {
  await using at = await setUp()
  const key = await at.file('key.pem', (await at.vidimus('public-key')).stdout)
  await at.vidimus('verify')
  const saved = await at.file('first', await readFile(join(at.checkpoints, 'latest.checkpoint'), 'utf8'))
  await insertEntries(at.ctx.db, [at.tenant_id], 5)

  const proof = await at.process('prove', '--tenant', at.tenant_id, '--entry', '7')
  const growth = await at.vidimus('prove', '--checkpoint', saved)
  expect(proof.stdout.split('\n')).toHaveLength(2)
  expect(JSON.parse(proof.stdout).proof.entry.seq).toBe(7)
  for (const [name, { stdout, status }] of Object.entries({ proof, growth })) {
    expect(status).toBe(0)
    const file = await at.file(name, stdout)
    expect((await at.withoutConfiguration('check', file, '--public-key', key)).status).toBe(0)
    const altered = await at.file(
      `${name} altered`,
      stdout.replace(
        /"[0-9a-f]{64}"/,
        (hash) => `"${hash.slice(1, -1).replace(/./, (digit) => (digit === '0' ? '1' : '0'))}"`,
      ),
    )
    expect((await at.withoutConfiguration('check', altered, '--public-key', key)).status).toBe(1)
  }
  expect(await at.vidimus('prove', '--tenant', at.tenant_id, '--entry', '99')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has no entry 99'),
  })
})

test('a tampered chain is exit status 1, wrong usage is 2', { timeout: 120_000 }, async () => {
  await using at = await setUp()
  expect((await at.vidimus('verify', '--tenant', at.tenant_id)).status).toBe(0)
  await at.ctx.db.execute(sql`update audit_entries set action = 'verification.erased' where seq = 4`)

  const verified = await at.vidimus('verify', '--tenant', at.tenant_id, '--json')
  expect(verified.status).toBe(1)
  expect(JSON.parse(verified.stdout)).toMatchObject({ entries: 10, valid: false })
  expect(verified.stderr).toContain('entry 4: the entry or its link was changed')
  const wrong = [
    ['verify', '--tenant', 'x'],
    ['export'],
    ['check', 'file'],
    ['prove', '--tenant', at.tenant_id],
  ]
  const codes = await Promise.all(wrong.map(async (args) => (await at.vidimus(...args)).status))
  expect(codes).toEqual([2, 2, 2, 2])
  const unknown = await at.vidimus('verify', '--tenant', '00000000-0000-4000-8000-000000000000')
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('There is no audit chain')])
  const missing = await at.withoutConfiguration(
    'check',
    join(at.folder, 'none'),
    '--public-key',
    join(at.folder, 'none'),
  )
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining("Can't read")])
})
