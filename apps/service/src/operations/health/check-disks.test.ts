import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSqlText } from '../../../test/database/clock.ts'
import { startService, type Service } from '../../../test/service.ts'
import { openDatabase } from '../../engine/db/index.ts'
import { checkDisk, diskLevels, rate, readDisks, readSpace } from './check-disks.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('the disks of the database and of the files of the service are read', async () => {
  const folders = { ERASURE_LEDGER: tmpdir(), AUDIT_CHECKPOINT_DIR: undefined }
  const disks = await readDisks(service.ctx.db, folders)
  expect(disks.map(({ name }) => name)).toEqual(['database', 'ledger'])
  const [, ledger] = disks
  expect(ledger?.free_bytes).toBeGreaterThan(0)
  expect(ledger?.total_bytes).toBeGreaterThan(ledger?.free_bytes ?? Infinity)
})

test('a user who may not know where the database is gets everything else', async () => {
  const user = `reader_${randomUUID().replaceAll('-', '')}`
  const { db } = service.ctx
  await runSqlText(db, `create role ${user} login`)
  const url = new URL(service.database_url)
  url.username = user
  const limited = openDatabase({ url: url.href, poolSize: 2 })
  try {
    const settings = { ERASURE_LEDGER: undefined, AUDIT_CHECKPOINT_DIR: undefined }
    expect(await readDisks(limited, settings)).toEqual([{ name: 'database', status: 'ok' }])
  } finally {
    await limited.close()
    await runSqlText(db, `drop role ${user}`)
  }
})

test('a folder that does not exist has no space, and breaks nothing', async () => {
  expect(await readSpace('/nowhere/at/all')).toBeUndefined()
  const lost = { ERASURE_LEDGER: '/nowhere/at/all', AUDIT_CHECKPOINT_DIR: undefined }
  const disks = await readDisks(service.ctx.db, lost)
  expect(disks[1]).toEqual({ name: 'ledger', status: 'ok' })
})

test('warns before a disk is full, and says how much is left', () => {
  const total_bytes = 1e12
  const withFree = (percent: number) => rate({ free_bytes: (percent / 100) * total_bytes, total_bytes })
  const { warning_percent, wrong_percent } = diskLevels
  expect([warning_percent, warning_percent - 0.1, wrong_percent, wrong_percent - 0.1].map(withFree)).toEqual([
    'ok',
    'warning',
    'warning',
    'wrong',
  ])
  expect(checkDisk({ name: 'database', free_bytes: 4e10, total_bytes, status: 'wrong' })).toMatchObject({
    status: 'wrong',
    says: 'The disk of PostgreSQL has 40.0 of 1000 GB left.',
  })
})
