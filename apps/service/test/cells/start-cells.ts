import { freePort } from '../processes/redis-server.ts'
import { startService, type Service } from '../service.ts'
import { startRouter, type RouterOptions } from './start-router.ts'

export type CellName = 'a' | 'b'

export type Cells = { address: string; cells: Record<CellName, Service> } & AsyncDisposable

export type CellsOptions = Pick<RouterOptions, 'change' | 'moved'> & {
  environment?: Record<string, string> | ((address: string) => Promise<Record<string, string>>)
}

/** Two cells, each with its own database and service in this process, behind a router at `localhost`, which WebAuthn accepts. */
export async function startCells({ environment = {}, ...router }: CellsOptions = {}): Promise<Cells> {
  await using stack = new AsyncDisposableStack()
  const port = await freePort()
  const address = `http://localhost:${port}`
  const more = typeof environment === 'function' ? await environment(address) : environment
  const start = async (CELL: CellName) =>
    stack.use(
      await startService({
        environment: { BASE_URL: address, CELL, CELLS: 'a,b', TRUSTED_PROXIES: '127.0.0.0/8', ...more },
      }),
    )
  const cells = { a: await start('a'), b: await start('b') }
  const portOf = (service: Service) => Number(new URL(service.address).port)
  stack.use(await startRouter({ ...router, port, cells: { a: portOf(cells.a), b: portOf(cells.b) } }))
  const resources = stack.move()
  return { address, cells, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
