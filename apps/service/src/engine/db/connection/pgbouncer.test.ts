import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { startPgBouncer } from '../../../../test/processes/pgbouncer.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { testEnvironment } from '../../../../test/service.ts'
import { timedOut } from '../failures.ts'
import { openDatabase } from '../open.ts'
import { pendingMigrations } from '../schema/migrate.ts'
import { requireSessions, TransactionPoolingError } from './require-sessions.ts'
import { sql } from '../sql.ts'

async function open(pool_mode: 'session' | 'transaction') {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const bouncer = stack.use(await startPgBouncer({ database_url: database.url, pool_mode }))
  const db = openDatabase({ url: bouncer.url, poolSize: 4 })
  stack.defer(() => db.close())
  const disposable = stack.move()
  return { db, bouncer, [Symbol.asyncDispose]: () => disposable.disposeAsync() }
}

test('behind PgBouncer in verification mode every time limit applies, also on a reused verification', async () => {
  await using at = await open('session')
  await requireSessions(at.db)
  const limits = sql`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone`
  const expected = [{ statement: '5s', lock: '3s', idle: '5s', zone: 'UTC' }]
  expect(await at.db.query(limits)).toEqual(expected)

  const db = openDatabase({ url: at.bouncer.url, poolSize: 2 })
  const seen = await Promise.all(Array.from({ length: 10 }, () => db.query(limits)))
  expect(seen).toEqual(Array.from({ length: 10 }, () => expected))
  const slow = db.transaction((tx) => tx.query(sql`select pg_sleep(5)`), { statement_ms: 300 })
  await expect(slow).rejects.toSatisfy(timedOut)
  expect(await db.query(limits)).toEqual(expected)
  await db.close()
})

test('PgBouncer in transaction mode is detected, and the error says what to do', async () => {
  await using at = await open('transaction')
  await expect(requireSessions(at.db)).rejects.toThrow(TransactionPoolingError)
  await expect(requireSessions(at.db)).rejects.toThrow('pool_mode = session')
})

test('in transaction mode every program and command ends with one line, also on a verification that another client has used', async () => {
  await using at = await open('transaction')
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-ledger-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rmSync(folder, { recursive: true }))
  // Leaves its named statements in the verification of the server, which the next client gets.
  const earlier = openDatabase({ url: at.bouncer.url, poolSize: 1 })
  expect(await pendingMigrations(earlier)).toEqual([])
  await earlier.close()
  const environment = testEnvironment(at.bouncer.url, { ERASURE_LEDGER: folder })

  for (const args of [
    ['serve'],
    ['work'],
    ['admin', 'tenant', 'list'],
    ['admin', 'keyring', 'rotate'],
    ['admin', 'audit', 'verify'],
  ]) {
    const { status, stderr } = await runProgram(args, environment)
    const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    expect([args, status, lines]).toEqual([args, 1, [expect.stringContaining('pool_mode = session')]])
  }
  const { stdout } = await runProgram(['doctor'], environment)
  expect(stdout).toContain('Set pool_mode = session in PgBouncer.')
})
