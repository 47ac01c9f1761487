import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signInOperator, startServiceWithConsole } from '../../test/sign-in/console.ts'
import { runCommand } from '../../test/processes/run-command.ts'
import { testEnvironment } from '../../test/service.ts'
import { createTestDatabase } from '../../test/database/test-database.ts'
import { advanceAudit, installationChain } from '../audit/index.ts'
import type { Db } from '../engine/db/index.ts'
import { sql } from '../engine/db/sql.ts'

const chain = installationChain

/** What somebody with the database could do, each undone by the other statement. */
const tamperings: Record<string, (db: Db) => Promise<unknown>> = {
  'an action is changed': (db) =>
    db.execute(sql`
      update audit_entries set action = 'installation.trust_changed' where tenant_id = ${chain} and seq = 2`),
  'a detail is changed': (db) =>
    db.execute(
      sql`update audit_entries set detail = '{"role":"support"}' where tenant_id = ${chain} and seq = 1`,
    ),
  'a name is changed': (db) =>
    db.execute(
      sql`update audit_texts set actor_name = 'Somebody else' where tenant_id = ${chain} and seq = 2`,
    ),
  'an entry is removed': (db) =>
    db.execute(sql`delete from audit_entries where tenant_id = ${chain} and seq = 2`),
  'the last entry is removed': (db) =>
    db.execute(sql`
      delete from audit_entries e using audit_chains c
      where e.tenant_id = ${chain} and c.tenant_id = e.tenant_id and e.seq = c.seq`),
  'two entries change places': async (db) => {
    await db.execute(sql`update audit_entries set seq = -1 where tenant_id = ${chain} and seq = 1`)
    await db.execute(sql`update audit_entries set seq = 1 where tenant_id = ${chain} and seq = 2`)
    await db.execute(sql`update audit_entries set seq = 2 where tenant_id = ${chain} and seq = -1`)
  },
  'the whole chain is removed': async (db) => {
    await db.execute(sql`delete from audit_entries where tenant_id = ${chain}`)
    await db.execute(sql`delete from audit_chains where tenant_id = ${chain}`)
  },
}

test(
  'whatever is changed, removed or put elsewhere in the installation’s log is found by the API and by the command',
  { timeout: 120_000 },
  async () => {
    const found: Record<string, { api: boolean; command: number }> = {}
    await using template = await createTestDatabase()
    {
      await using service = await startServiceWithConsole({ database: shared(template.url) })
      await signInOperator(service, 'owner')
      await signInOperator(service, 'auditor')
      await advanceAudit(service.ctx)
    }
    for (const [what, tamper] of Object.entries({ nothing: async () => {}, ...tamperings })) {
      await using database = await createTestDatabase({ copyOf: template.name })
      await using service = await startServiceWithConsole({ database: shared(database.url) })
      const auditor = await signInOperator(service, 'auditor', what)
      await advanceAudit(service.ctx)
      await service.ctx.db.transaction(tamper)
      const { status, body } = await auditor.call('verifyLog')
      const command = await runCommand(
        ['admin', 'audit', 'verify', '--tenant', 'installation'],
        testEnvironment(database.url),
      )
      found[what] = { api: status === 200 && body.valid, command: command.status }
    }
    expect(found).toEqual({
      nothing: { api: true, command: 0 },
      ...Object.fromEntries(Object.keys(tamperings).map((what) => [what, { api: false, command: 1 }])),
    })
  },
)

test('a proof of an entry is checked with nothing but the key', async () => {
  await using service = await startServiceWithConsole()
  const auditor = await signInOperator(service, 'auditor')
  await advanceAudit(service.ctx)
  const proof = await auditor.call('proveLogEntry', { params: { seq: '1' } })
  expect(proof.headers.get('content-type')).toBe('application/jsonl')
  const { public_key } = (await auditor.call('getLogKey')).body
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-proof-'))
  await writeFile(join(folder, 'proof.jsonl'), proof.text)
  await writeFile(join(folder, 'key.pem'), public_key)
  const check = ['audit', 'check', join(folder, 'proof.jsonl'), '--public-key', join(folder, 'key.pem')]
  expect((await runCommand(check, {})).status).toBe(0)
  await writeFile(join(folder, 'proof.jsonl'), proof.text.replace('operator_added', 'operator_removed'))
  expect((await runCommand(check, {})).status).toBe(1)
  await rm(folder, { recursive: true })
  expect((await auditor.call('proveLogEntry', { params: { seq: '99' } })).status).toBe(404)
  expect((await auditor.call('proveLogEntry', { params: { seq: 'x' } })).status).toBe(404)
})

function shared(url: string) {
  return { url, [Symbol.asyncDispose]: async () => {} }
}
