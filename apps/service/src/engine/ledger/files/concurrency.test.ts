import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newLedgerFolder } from '../../../../test/ledger-folder.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startService } from '../../../../test/service.ts'
import { sql } from '../../db/sql.ts'
import { hashLedgerId } from '../ledger.ts'

/** Runs a task a number of times, 50 at a time. */
async function inParallel<Result>(
  count: number,
  task: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next
      next += 1
      results[index] = await task(index)
    }
  }
  await Promise.all(Array.from({ length: 50 }, work))
  return results
}

test('a thousand erasures, fifty at a time, share their syncs, and each has its entry', async () => {
  const folder = newLedgerFolder()
  await using service = await startService({ environment: { ERASURE_LEDGER: folder, DB_POOL_SIZE: '20' } })
  // Erasures of one tenant wait for each other in the database.
  const merchants = await inParallel(25, () => service.tenant())
  const merchantOf = (index: number) => {
    const merchant = merchants[index % 25]
    if (merchant === undefined) throw new Error('there are 25')
    return merchant
  }
  const ids = await inParallel(1000, async (index) => {
    const created = await merchantOf(index).post('/v1/verifications', { template: 'age_over_18' })
    return String(created.body.id)
  })

  const erased = await inParallel(1000, (index) =>
    merchantOf(index).delete(`/v1/verifications/${ids[index]}`),
  )

  expect(new Set(erased.map(({ status }) => status))).toEqual(new Set([200]))
  const [name = ''] = readdirSync(folder)
  const text = readFileSync(join(folder, name), 'utf8')
  for (const id of ids)
    expect(text).toContain(hashLedgerId(service.ctx.keyring, 'verification', id).toString('base64url'))
  const { values } = await service.ctx.metrics.ledgerSyncs.get()
  const syncs = values[0]?.value ?? Number.NaN
  process.stdout.write(`1000 erasures, ${syncs} syncs\n`)
  expect(syncs).toBeLessThan(500)
  expect(await service.ctx.ledger.readPending(service.ctx.db)).toMatchObject({ lost: [], in_doubt: [] })
  await service.ctx.ledger.confirm(service.ctx.db)
  expect(await service.ctx.db.query(sql`select count(*) as marks from erasure_marks`)).toEqual([{ marks: 0 }])
  expect(await service.ctx.db.query(sql`select confirmed from erasure_ledgers`)).toEqual([
    { confirmed: 1000 },
  ])
})

test('[LEDGER-1] transactions that commit in another order than they append are told apart exactly', async () => {
  const folder = newLedgerFolder()
  await using service = await startService({ environment: { ERASURE_LEDGER: folder } })
  const { ledger, db } = service.ctx
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const appended: Promise<void>[] = []
  const transactions = gates.map(({ promise }, index) => {
    const ready = Promise.withResolvers<void>()
    appended.push(ready.promise)
    return db.transaction(async (tx) => {
      await ledger.record(tx, [{ kind: 'verification', day: '2026-11-16', id: `vs_${index}` }])
      ready.resolve()
      await promise
      if (index === 1) throw new Error('refused after it was recorded')
    })
  })
  await Promise.all(appended)
  expect((await ledger.readPending(db)).in_doubt.length).toBe(3)

  gates[2]?.resolve()
  await transactions[2]
  gates[1]?.resolve()
  await expect(transactions[1]).rejects.toThrow('refused')
  const first = await ledger.readPending(db)
  expect([first.lost.length, first.in_doubt.map(({ hash }) => hash)]).toEqual([
    0,
    [hashLedgerId(service.ctx.keyring, 'verification', 'vs_0')],
  ])
  // The open one keeps the others from being confirmed: their marks stay.
  await ledger.confirm(db)
  expect((await db.query(sql`select from erasure_marks`)).length).toBe(1)

  gates[0]?.resolve()
  await transactions[0]
  await ledger.confirm(db)
  expect(await ledger.readPending(db)).toMatchObject({ lost: [], in_doubt: [] })
  expect((await db.query(sql`select from erasure_marks`)).length).toBe(0)
})

test('files are removed once all their entries are older than 400 days, notes after 7 days', async () => {
  const folder = newLedgerFolder()
  await using service = await startService({ environment: { ERASURE_LEDGER: folder } })
  const { ledger, db } = service.ctx
  await db.transaction((tx) => ledger.record(tx, [{ kind: 'api_key', id: 'a' }]))
  ledger.note([{ kind: 'refreshed', id: 'd', generation: 7 }])
  const readNotes = async () => {
    const notes = []
    for await (const note of ledger.readNotes()) notes.push(note)
    return notes
  }
  const hash = hashLedgerId(service.ctx.keyring, 'refreshed', 'd')
  await expect.poll(readNotes).toEqual([{ kind: 'refreshed', generation: 7, hash }])
  const files = async () => {
    await ledger.confirm(db)
    return readdirSync(folder).map((name) => name.split('.')[1])
  }
  expect(new Set(await files())).toEqual(new Set(['ledger', 'notes']))
  await setClockOffset(db, '8 days')
  expect(await files()).toEqual(['ledger'])
  await setClockOffset(db, '399 days')
  expect(await files()).toEqual(['ledger'])
  await setClockOffset(db, '401 days')
  expect(await files()).toEqual([])
  await files()
  expect(await db.query(sql`select from erasure_ledgers`)).toEqual([])
})
