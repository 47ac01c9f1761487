import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { insertEntries, openAuditFixture } from '../../../test/audit/audit.ts'
import { testEnvironment } from '../../../test/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { createTenant } from '../../tenants/create.ts'

const program = fileURLToPath(new URL('../../main.ts', import.meta.url))

type ProgramResult = { code: number; out: string; err: string }

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-audit-'))
  const checkpoints = join(folder, 'checkpoints')
  const audit = await openAuditFixture({ AUDIT_CHECKPOINT_DIR: checkpoints })
  const { tenant_id } = await createTenant(audit.ctx, { name: 'A merchant' })
  await insertEntries(audit.ctx.db, [tenant_id], 9)
  const run = (environment: Record<string, string>, ...args: string[]) =>
    new Promise<ProgramResult>((resolve) => {
      const env = { PATH: process.env['PATH'], ...environment }
      execFile(process.execPath, [program, 'audit', ...args], { env }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      )
    })
  return {
    ...audit,
    tenant_id,
    folder,
    checkpoints,
    /** Runs a command with the service's database. */
    vidimus: (...args: string[]) =>
      run(testEnvironment(audit.database_url, { AUDIT_CHECKPOINT_DIR: checkpoints }), ...args),
    /** Runs a command without any configuration. */
    withoutConfiguration: (...args: string[]) => run({}, ...args),
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
    const exported = await at.vidimus('export', '--tenant', at.tenant_id)
    const pem = await at.vidimus('public-key')
    expect([exported.code, exported.err, pem.code]).toEqual([0, '', 0])
    expect(pem.out).toMatch(/^-----BEGIN PUBLIC KEY-----\n\S+\n-----END PUBLIC KEY-----\n$/)
    const file = await at.file('chain.jsonl', exported.out)
    const key = await at.file('key.pem', pem.out)

    const checked = await at.withoutConfiguration('check', file, '--public-key', key, '--json')
    expect([checked.code, checked.err]).toEqual([0, ''])
    expect(JSON.parse(checked.out)).toMatchObject({ valid: true, entries: 10, removed: 0 })

    const verified = await at.vidimus('verify', '--tenant', at.tenant_id, '--json')
    expect(JSON.parse(verified.out)).toEqual({
      entries: 10,
      valid: true,
      head: JSON.parse(checked.out).head,
      removed: 0,
      abandoned: [],
      faults: [],
    })
    const altered = await at.file('altered.jsonl', exported.out.replace('Age check', 'Age chock'))
    const refused = await at.withoutConfiguration('check', altered, `--public-key=${pem.out}`)
    expect([refused.code, refused.out.split('\n')[0]]).toEqual([1, '10 entries, NOT VALID'])
    expect(refused.err).toMatch(/^line \d+: entry \d+: its texts do not match its commitments\n$/)
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
  const key = await at.file('key.pem', (await at.vidimus('public-key')).out)
  const old = await at.file('old.jsonl', before.out)

  expect((await at.withoutConfiguration('check', old, '--public-key', key)).code).toBe(0)
  const caught = await at.withoutConfiguration('check', old, '--public-key', key, '--checkpoint', saved)
  expect([caught.code, caught.err]).toEqual([1, expect.stringContaining('its end was cut off')])

  const kept = await at.file('kept.checkpoint', await readFile(saved, 'utf8'))
  await insertEntries(at.ctx.db, [at.tenant_id], 1)
  const since = await at.vidimus('export', '--tenant', at.tenant_id, '--checkpoint', kept)
  const whole = await at.file('whole.jsonl', since.out)
  expect(
    (await at.withoutConfiguration('check', whole, '--public-key', key, '--checkpoint', kept)).code,
  ).toBe(0)
})

test('a single line proves one entry or the growth of the log', { timeout: 120_000 }, async () => {
  await using at = await setUp()
  const key = await at.file('key.pem', (await at.vidimus('public-key')).out)
  await at.vidimus('verify')
  const saved = await at.file('first', await readFile(join(at.checkpoints, 'latest.checkpoint'), 'utf8'))
  await insertEntries(at.ctx.db, [at.tenant_id], 5)

  const proof = await at.vidimus('prove', '--tenant', at.tenant_id, '--entry', '7')
  const growth = await at.vidimus('prove', '--checkpoint', saved)
  expect(proof.out.split('\n')).toHaveLength(2)
  expect(JSON.parse(proof.out).proof.entry.seq).toBe(7)
  for (const [name, { out, code }] of Object.entries({ proof, growth })) {
    expect(code).toBe(0)
    const file = await at.file(name, out)
    expect((await at.withoutConfiguration('check', file, '--public-key', key)).code).toBe(0)
    const altered = await at.file(
      `${name} altered`,
      out.replace(
        /"[0-9a-f]{64}"/,
        (hash) => `"${hash.slice(1, -1).replace(/./, (digit) => (digit === '0' ? '1' : '0'))}"`,
      ),
    )
    expect((await at.withoutConfiguration('check', altered, '--public-key', key)).code).toBe(1)
  }
  expect(await at.vidimus('prove', '--tenant', at.tenant_id, '--entry', '99')).toMatchObject({
    code: 1,
    err: expect.stringContaining('has no entry 99'),
  })
})

test('a tampered chain is exit status 1, wrong usage is 2', { timeout: 120_000 }, async () => {
  await using at = await setUp()
  expect((await at.vidimus('verify', '--tenant', at.tenant_id)).code).toBe(0)
  await at.ctx.db.execute(sql`update audit_entries set action = 'verification.erased' where seq = 4`)

  const verified = await at.vidimus('verify', '--tenant', at.tenant_id, '--json')
  expect(verified.code).toBe(1)
  expect(JSON.parse(verified.out)).toMatchObject({ entries: 10, valid: false })
  expect(verified.err).toContain('entry 4: the entry or its link was changed')
  const wrong = [
    ['verify', '--tenant', 'x'],
    ['export'],
    ['check', 'file'],
    ['prove', '--tenant', at.tenant_id],
  ]
  const codes = await Promise.all(wrong.map(async (args) => (await at.vidimus(...args)).code))
  expect(codes).toEqual([2, 2, 2, 2])
  const unknown = await at.vidimus('verify', '--tenant', '00000000-0000-4000-8000-000000000000')
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('There is no audit chain')])
  const missing = await at.withoutConfiguration(
    'check',
    join(at.folder, 'none'),
    '--public-key',
    join(at.folder, 'none'),
  )
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("Can't read")])
})
