import { fileURLToPath } from 'node:url'
import { startProcesses } from '../apps/service/test/processes/processes.ts'
import type { Load } from './load.ts'
import { load, portOf } from './run-load.ts'

/** A Fastify route that returns a constant, loaded like the route that is measured beside it. */
export async function startBareServer(like: Pick<Load, 'connections' | 'seconds' | 'keys'>) {
  const run = fileURLToPath(new URL('../apps/service/test/serve-bare.ts', import.meta.url))
  const server = await startProcesses(1, { run })
  const probing: Load = { ...like, port: portOf(server), method: 'GET', paths: ['/v1/probe'], expect: 200 }
  return {
    rate: async () => (await load(probing)).rate,
    p99_ms: async (per_second: number) => (await load({ ...probing, per_second })).p99_ms,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
