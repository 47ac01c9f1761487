import { caller, type Caller } from '../../apps/service/test/caller.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import type { CellName } from '../../apps/service/test/cells/start-cells.ts'
import { startRouter } from '../../apps/service/test/cells/start-router.ts'

export type CellProcesses = {
  address: string
  cells: Record<CellName, ServiceProcesses>
  /** A merchant of each cell, whose requests go through the router. */
  merchants: Record<CellName, Caller>
} & AsyncDisposable

/** Two cells, each with a database and a `serve` process of its own, behind a router. */
export async function startCellProcesses(): Promise<CellProcesses> {
  await using stack = new AsyncDisposableStack()
  const start = async (CELL: CellName) =>
    stack.use(
      await startProcesses(1, {
        environment: { CELL, CELLS: 'a,b', METRICS_PORT: 'off' },
      }),
    )
  const cells = { a: await start('a'), b: await start('b') }
  const portOf = ({ processes }: ServiceProcesses) => Number(new URL(processes[0]?.address ?? '').port)
  const { address } = stack.use(await startRouter({ cells: { a: portOf(cells.a), b: portOf(cells.b) } }))
  const merchants = {
    a: caller(address, (await cells.a.tenant({ daily_quota: 900_000_000 })).key),
    b: caller(address, (await cells.b.tenant({ daily_quota: 900_000_000 })).key),
  }
  const resources = stack.move()
  return { address, cells, merchants, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
