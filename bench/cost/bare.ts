import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { startProcesses } from '../../apps/service/test/processes/processes.ts'
import { deriveAndSign, openResponse } from '../bare-cryptography.ts'
import { prepareRowByRow } from '../create.ts'
import { sendLoad } from '../load.ts'
import { output, portOf } from '../run-load.ts'
import { startReceiver } from '../start-receiver.ts'
import { measureUsage, noUsage, perOperation, type Usage } from './observe.ts'
import type { OwnServers } from './servers.ts'

/** The least that an operation can consist of. */
export const barePartTexts = {
  fastify: 'a constant served by Fastify',
  select: 'a prepared select by primary key',
  insert: 'the rows of a creation, by one function call',
  redis: 'one command to Redis',
  sign: 'a derived key and a signature',
  verify: 'a key agreement, a decryption and two signature checks, one with a new key',
  post: 'a POST request by undici',
}
export type BarePart = keyof typeof barePartTexts

/** What one of a part uses. */
export type MeasureBarePart = () => Promise<Usage>

const connections = 32
const clients = 8
const tenants = 50

/** Prepares the parts that are needed, outside the measurement. */
export async function prepareBareParts(servers: OwnServers, needed: ReadonlySet<BarePart>) {
  await using stack = new AsyncDisposableStack()
  const parts = new Map<BarePart, MeasureBarePart>()
  const database = needed.has('select') || needed.has('insert') ? await prepareDatabase() : undefined
  for (const part of needed) parts.set(part, await prepare(part))
  const running = stack.move()
  return Object.assign(parts, { [Symbol.asyncDispose]: () => running.disposeAsync() })

  async function prepare(part: BarePart): Promise<MeasureBarePart> {
    switch (part) {
      case 'fastify':
        return prepareFastify()
      case 'post':
        return preparePosts()
      case 'select':
        return async () => {
          const used = await measure(8000, (count) => pgbench('select-row.pgbench', count))
          return { ...noUsage, postgres: used.postgres, statements: 1, round_trips: 1 }
        }
      case 'insert':
        return async () => {
          const { postgres, wal_bytes } = await measure(1600, (count) => pgbench('create-row.pgbench', count))
          return { ...noUsage, postgres, wal_bytes, statements: 1, round_trips: 1 }
        }
      case 'redis':
        return async () => ({ ...noUsage, redis: (await measure(10_000, increment)).redis, round_trips: 1 })
      case 'sign':
        return async () => ({ ...noUsage, main: (await measureHere(500, deriveAndSign)).main })
      case 'verify':
        return async () => ({ ...noUsage, threads: (await measureHere(400, openResponse)).main })
    }
  }

  async function prepareFastify(): Promise<MeasureBarePart> {
    const run = fileURLToPath(new URL('../../apps/service/test/serve-bare.ts', import.meta.url))
    const bare = stack.use(await startProcesses(1, { run }))
    const [{ child } = { child: undefined }] = bare.processes
    const load = { connections, seconds: 300, method: 'GET', keys: [], expect: 200 } as const
    return async () => {
      const { main, runtime } = await measure(
        3000,
        async (requests) => {
          await sendLoad({ ...load, keys: [], port: portOf(bare), paths: ['/v1/probe'], requests })
        },
        child?.pid,
      )
      return { ...noUsage, main, runtime }
    }
  }

  async function preparePosts(): Promise<MeasureBarePart> {
    const { url } = stack.use(await startReceiver())
    const { origin, pathname: path } = new URL(url)
    const pool = new Pool(origin, { connections })
    stack.defer(() => pool.close())
    const body = 'x'.repeat(600)
    return async () => {
      const { main, runtime } = await measure(1000, postAll, process.pid)
      return { ...noUsage, main, runtime }
    }

    async function postAll(count: number): Promise<void> {
      let left = count
      const post = async () => {
        for (; left > 0; left -= 1) {
          const response = await pool.request({ method: 'POST', path, body })
          await response.body.dump()
        }
      }
      await Promise.all(Array.from({ length: connections }, post))
    }
  }

  async function prepareDatabase(): Promise<string> {
    const rows = stack.use(await startProcesses(0))
    await prepareRowByRow(rows, await Promise.all(Array.from({ length: tenants }, () => rows.tenant())))
    const { db } = rows.ctx
    await db.execute(sql`create table bench_rows (id integer primary key, note text)`)
    await db.execute(
      sql`insert into bench_rows select n, 'a note' from generate_series(1, 10000) as given (n)`,
    )
    await db.execute(sql`analyze`)
    return rows.database_url
  }

  async function measure(
    count: number,
    work: (count: number) => Promise<void>,
    node?: number,
  ): Promise<Usage> {
    return perOperation(await measureUsage(servers, { node }, () => work(count)), count)
  }

  /** In this process, whose main thread does nothing else meanwhile. */
  function measureHere(count: number, once: () => void): Promise<Usage> {
    const repeat = async () => {
      for (let done = 0; done < count; done += 1) once()
    }
    return measure(count, repeat, process.pid)
  }

  async function pgbench(file: string, count: number): Promise<void> {
    await output('pgbench', [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${clients}`,
      `--transactions=${count / clients}`,
      `--define=tenants=${tenants}`,
      `--file=${fileURLToPath(new URL(`../${file}`, import.meta.url))}`,
      database ?? '',
    ])
  }

  async function increment(count: number): Promise<void> {
    const { port } = new URL(servers.redis.url)
    await output('redis-benchmark', [
      '-p',
      port,
      '-c',
      String(clients),
      '-n',
      String(count),
      '-t',
      'incr',
      '-q',
    ])
  }
}
