import { execFileSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newLedgerFolder } from '../../../../test/ledger-folder.ts'
import { startService, type Merchant } from '../../../../test/service.ts'
import { LedgerUnusableError } from '../errors.ts'
import { openFolder } from './folder-storage.ts'
import { limitTime } from './open-folder.ts'
import { openEntryFile } from './lines.ts'
import { readTail } from './read-tail.ts'

const create = async (merchant: Merchant): Promise<string> =>
  (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body.id

test('if the ledger cannot be written, an erasure is 503 and erases nothing; afterwards it works again', async () => {
  const folder = newLedgerFolder()
  await using service = await startService({ environment: { ERASURE_LEDGER: folder } })
  const merchant = await service.tenant()
  const erase = async (id: string) => (await merchant.delete(`/v1/verifications/${id}`)).status
  const [first, second, third] = [await create(merchant), await create(merchant), await create(merchant)]
  expect(await erase(first)).toBe(200)

  // The folder with the open file is gone, as after a file system was unmounted.
  renameSync(folder, `${folder}-away`)
  const refused = await merchant.delete(`/v1/verifications/${second}`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(refused.body.error.message).toContain('nothing was erased')
  expect(await erase(second)).toBe(503)
  expect((await merchant.get(`/v1/verifications/${second}`)).status).toBe(200)

  renameSync(`${folder}-away`, folder)
  expect(await erase(second)).toBe(200)
  // A file that was removed is not written to, although it is open.
  for (const name of readdirSync(folder)) renameSync(join(folder, name), join(folder, `${name}.moved`))
  expect(await erase(third)).toBe(503)
  for (const name of readdirSync(folder))
    renameSync(join(folder, name), join(folder, name.replace('.moved', '')))
  expect(await erase(third)).toBe(200)
  expect(await service.ctx.ledger.readPending(service.ctx.db)).toMatchObject({ lost: [], in_doubt: [] })
})

test.skipIf(process.getuid?.() !== 0)(
  'on a full file system an erasure is 503 and erases nothing; with space it works again',
  async () => {
    const folder = newLedgerFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
    try {
      await using service = await startService({ environment: { ERASURE_LEDGER: folder } })
      const merchant = await service.tenant()
      const erase = async (id: string) => (await merchant.delete(`/v1/verifications/${id}`)).status
      expect(await erase(await create(merchant))).toBe(200)
      fillFileSystem(join(folder, 'filler'))
      // The last page of the open file has room for some.
      let [id, status] = ['', 200]
      for (let n = 0; n < 100 && status === 200; n += 1) {
        id = await create(merchant)
        status = await erase(id)
      }
      expect(status).toBe(503)
      expect((await merchant.get(`/v1/verifications/${id}`)).status).toBe(200)

      rmSync(join(folder, 'filler'))
      expect(await erase(id)).toBe(200)
      expect(await service.ctx.ledger.readPending(service.ctx.db)).toMatchObject({ lost: [], in_doubt: [] })
    } finally {
      execFileSync('umount', ['--lazy', folder])
    }
  },
)

function fillFileSystem(path: string): void {
  const page = Buffer.alloc(4096)
  for (;;) {
    try {
      appendFileSync(path, page)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
  }
}

test('a write that fails halfway leaves nothing behind, and its file is not used again', async () => {
  const folder = newLedgerFolder()
  const storage = openFolder(folder)
  const entry = {
    kind: 'verification',
    day: '2026-11-16',
    hash: Buffer.alloc(16),
    at: '2026-11-16T00:00:00.000000Z',
  }
  const file = await openEntryFile({ storage, name: 'r-1.ledger', onWrite: () => {} })
  const [first = 0, second = 0] = file.reserve(2)
  await file.append([{ ...entry, position: first }])
  const before = readFileSync(join(folder, 'r-1.ledger'), 'utf8')
  rmSync(join(folder, 'r-1.ledger'))
  writeFileSync(join(folder, 'r-1.ledger'), before)

  await expect(file.append([{ ...entry, position: second }])).rejects.toThrow('was replaced')
  expect(file.failed()).toBe(true)
  await expect(file.append([{ ...entry, position: second }])).rejects.toThrow('was replaced')
  expect(readFileSync(join(folder, 'r-1.ledger'), 'utf8')).toBe(before)
})

test('storage that hangs is an error after three seconds, and at once while it still hangs', async () => {
  const hung = Promise.withResolvers<never>()
  const storage = limitTime({
    ...openFolder(newLedgerFolder()),
    list: () => hung.promise,
  })
  await expect(storage.list()).rejects.toThrow(LedgerUnusableError)
  const began = performance.now()
  await expect(storage.create('r-1.ledger', '')).rejects.toThrow('did not respond')
  expect(performance.now() - began).toBeLessThan(1000)
})

test('a process whose event loop was blocked does not take its storage for hanging', async () => {
  const timeout_ms = 300
  const storage = limitTime(openFolder(newLedgerFolder()), timeout_ms)
  const listing = storage.list()
  // Synchronous work for longer than the limit, while which the file system has long responded.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * timeout_ms)
  expect(await listing).toEqual([])
  const appender = await storage.create('r-1.ledger', '')
  const appending = appender.append('x', { durable: true })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * timeout_ms)
  await appending
  await appender.close()
})

test('what a crash left unfinished at the end of a file is ignored, damage before other lines is not', async () => {
  const folder = newLedgerFolder()
  const storage = openFolder(folder)
  const name = 'r-1.ledger'
  const path = join(folder, name)
  const hash = Buffer.alloc(16).toString('base64url')
  const line = (position: number) =>
    `entry ${position} verification 2026-11-16 ${hash} 2026-11-16T00:00:00.000000Z\n`
  const whole = `vidimus-ledger-1 ${name}\n${line(0)}committed 1 0\n`
  const last = line(1)
  for (let cut = 0; cut < last.length; cut += 1) {
    writeFileSync(path, whole + last.slice(0, cut))
    const tail = await readTail(storage, name, 0)
    expect([...tail.entries.keys(), tail.end_bytes]).toEqual([0, whole.length])
    expect(tail.entries.get(0)?.outcome).toBe('committed')
  }
  // Blocks that the file system had allocated and not written.
  writeFileSync(path, Buffer.concat([Buffer.from(whole), Buffer.alloc(4096)]))
  expect((await readTail(storage, name, 0)).entries.size).toBe(1)
  writeFileSync(path, `${whole}entry 1 sess\n`)
  expect((await readTail(storage, name, 0)).entries.size).toBe(1)

  appendFileSync(path, line(2))
  await expect(readTail(storage, name, 0)).rejects.toThrow(`damaged at byte ${whole.length}`)
})

test('a ledger of another database, and one whose files are missing, are refused with their own messages', async () => {
  const folder = newLedgerFolder()
  await using service = await startService({ environment: { ERASURE_LEDGER: folder } })
  const merchant = await service.tenant()
  await merchant.delete(`/v1/verifications/${await create(merchant)}`)
  await service.ctx.ledger.confirm(service.ctx.db)

  await expect(startService({ environment: { ERASURE_LEDGER: folder } })).rejects.toThrow(
    'belongs to another database',
  )
  const shared = { url: service.database_url, async [Symbol.asyncDispose]() {} }
  const empty = startService({ database: shared, environment: { ERASURE_LEDGER: newLedgerFolder() } })
  await expect(empty).rejects.toThrow('Is the folder mounted?')
  const none = startService({ database: shared, environment: { ERASURE_LEDGER: `${folder}-none` } })
  await expect(none).rejects.toThrow('cannot be read')
})
