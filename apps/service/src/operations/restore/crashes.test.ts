import { once } from 'node:events'
import { expect, test } from 'vitest'
import { newLedgerFolder } from '../../../test/ledger-folder.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { sourceFaults } from '../../../test/injected-faults.ts'
import { startProcesses } from '../../../test/processes/processes.ts'
import { applyRestore } from './apply.ts'
import { sql } from '../../engine/db/sql.ts'
import { confirmLedger } from '../load-extras.ts'
import { completeInDoubt } from './apply.ts'

/** Where a process is killed during an erasure, and whether the erasure was committed by then. */
const failpoints = [
  {
    name: 'before its entry is appended',
    fault: sourceFaults.killedBeforeLedger,
    erased: false,
    in_doubt: 0,
  },
  {
    name: 'between the entry and the erasure',
    fault: sourceFaults.killedAfterLedger,
    erased: false,
    in_doubt: 1,
  },
  { name: 'just before the commit', fault: sourceFaults.killedBeforeCommit, erased: false, in_doubt: 1 },
  {
    name: 'between the commit and the line that says so',
    fault: sourceFaults.killedBeforeConfirmation,
    erased: true,
    in_doubt: 0,
  },
]

test.each(failpoints)(
  'a process killed $name leaves an erasure that is completed, and no service that is stuck',
  async ({ fault, erased, in_doubt }) => {
    const folder = newLedgerFolder()
    await using service = await startProcesses(1, {
      environment: { ERASURE_LEDGER: folder },
      injectedFaults: fault,
    })
    const { ctx, processes } = service
    const merchant = await service.tenant()
    const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
    const child = processes[0]?.child
    const exit = child && once(child, 'exit')
    await expect(merchant.delete(`/v1/verifications/${id}`)).rejects.toThrow('fetch failed')
    await exit

    // The context of the test is a process that goes on: it is never refused, whatever the other one left behind.
    const pending = await ctx.ledger.readPending(ctx.db)
    expect([pending.lost.length, pending.in_doubt.length]).toEqual([0, in_doubt])
    expect(await completeInDoubt(ctx)).toBe(0)
    await setClockOffset(ctx.db, '61 seconds')
    await confirmLedger(ctx)

    const after = await ctx.ledger.readPending(ctx.db)
    expect([after.lost, after.in_doubt]).toEqual([[], []])
    processes.length = 0
    const [restarted] = [await service.start()]
    const { status } = await fetch(`${restarted.address}/v1/verifications/${id}`, {
      headers: { authorization: `Bearer ${merchant.key}` },
    })
    expect(status).toBe(erased || in_doubt > 0 ? 404 : 200)
  },
)

test('`admin restore apply` also completes an erasure that was interrupted more than a minute ago', async () => {
  const interrupted = failpoints.find(({ in_doubt }) => in_doubt === 1)
  await using service = await startProcesses(1, {
    environment: { ERASURE_LEDGER: newLedgerFolder() },
    injectedFaults: interrupted?.fault ?? [],
  })
  const { ctx } = service
  const merchant = await service.tenant()
  const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  await expect(merchant.delete(`/v1/verifications/${id}`)).rejects.toThrow('fetch failed')
  await setClockOffset(ctx.db, '61 seconds')
  expect((await ctx.ledger.readPending(ctx.db)).in_doubt).toHaveLength(1)

  await applyRestore(ctx, { restored: true })
  expect((await ctx.ledger.readPending(ctx.db)).in_doubt).toEqual([])
  const [verification] = await ctx.db.query(sql`select id from verification_sessions where id = ${id}`)
  expect(verification).toBeUndefined()
})
