import { expect, test } from 'vitest'
import { openRestorableService } from '../../../test/restored-service.ts'
import { revocationCases, type PreparedCase } from '../../../test/revocation-cases.ts'
import { startService } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { consoleSettings } from '../../../test/sign-in/console.ts'
import { flushAudit, installationChain, listAudit, recordsAs } from '../../audit/index.ts'
import { declaredTables } from '../../engine/db/schema/tables.ts'
import { applyRestore, readRestoreStatus } from './apply.ts'
import { listEndedKinds } from './list-ended-kinds.ts'

const timeout_ms = 120_000

test(
  '[RESTORE-1] everything that was erased or revoked stays so in a restored database',
  { timeout: timeout_ms },
  async () => {
    await using restorable = await openRestorableService({ environment: consoleSettings })
    const cases = new Map<string, PreparedCase>()
    await restorable.run(async (service) => {
      const merchant = await service.tenant()
      const owner = await signIn(service, merchant)
      for (const [title, prepare] of Object.entries(revocationCases))
        cases.set(title, await prepare({ service, merchant, owner }))
    })
    await restorable.backUp()
    await restorable.run(async (service) => {
      for (const [title, { end, works }] of cases) {
        expect({ title, works: await works(service) }).toEqual({ title, works: true })
        await end(service)
        expect({ title, works: await works(service) }).toEqual({ title, works: false })
      }
    })
    restorable.restore()

    const status = await restorable.command(readRestoreStatus)
    expect(status.entries).toBeGreaterThanOrEqual(cases.size)
    const record = recordsAs('installation.restored', { name: 'Ada', reason: 'disk' })
    const report = await restorable.command((ctx) => applyRestore(ctx, { record }))
    expect(report.entries).toBe(status.entries)
    expect(await restorable.command(readRestoreStatus)).toMatchObject({ entries: 0, applied: {} })
    await restorable.run(async (service) => {
      await flushAudit(service.ctx)
      const filter = { tenant_id: installationChain, action: 'installation.restored', limit: 10 }
      expect((await listAudit(service.ctx, filter)).data).toMatchObject([
        { actor: 'operator', actor_name: 'Ada', purpose: 'disk', detail: { entries: report.entries } },
      ])
      const working: string[] = []
      for (const [title, { works }] of cases) if (await works(service)) working.push(title)
      expect(working).toEqual([])
    })
  },
)

test('[RESTORE-1] every ending that the declaration of a table names is repeated', async () => {
  await using service = await startService()
  const entry = { ledger: '', position: 0, kind: '', day: '2026-11-01', hash: Buffer.alloc(16), at: '' }
  const repeated = listEndedKinds(service.ctx, [entry]).map(({ use }) => use(({ kind }) => kind))

  expect(new Set<string>([...repeated, 'tenant'])).toEqual(
    new Set(declaredTables.flatMap(({ endings = [] }) => endings)),
  )
})
