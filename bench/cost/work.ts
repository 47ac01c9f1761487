import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { insertCompletedVerifications } from '../../apps/service/test/database/completed-verifications.ts'
import { startProcesses } from '../../apps/service/test/processes/processes.ts'
import { startProgram } from '../../apps/service/test/processes/start-program.ts'
import { testEnvironment } from '../../apps/service/test/service.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { startReceiver } from '../start-receiver.ts'

export type Work = Awaited<ReturnType<typeof startWork>>

/** A `work` process and a receiver that accepts every webhook. */
export async function startWork() {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startProcesses(0))
  const receiver = stack.use(await startReceiver())
  const environment = testEnvironment(service.database_url, { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' })
  const program = stack.use(startProgram({ args: ['work'], environment }))
  await waitUntil(() => program.output().includes('worker is running'), { within_ms: 60_000 })
  const { tenant_id } = await service.tenant()
  const running = stack.move()
  return {
    receiver,
    pid: program.child.pid,
    database: new URL(service.database_url).pathname.slice(1),
    /**
     * Inserts events while the worker is suspended, so that inserting is not part of the measurement. The returned function
     * lets the worker run until every event was received.
     */
    async prepareDeliveries(count: number): Promise<() => Promise<void>> {
      program.child.kill('SIGSTOP')
      await service.ctx.db.transaction((tx) =>
        insertCompletedVerifications(tx, { tenant_id, url: receiver.url, count }),
      )
      await service.ctx.db.execute(sql`analyze`)
      const due = (await receiver.progress()) + count
      return async () => {
        program.child.kill('SIGCONT')
        await waitUntil(async () => (await receiver.progress()) >= due, { within_ms: 120_000 })
      }
    },
    analyze: async () => {},
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
