import { connect } from 'node:net'
import { connectionFaults } from '../../apps/service/test/network/fault-proxy.ts'
import type { World } from './world.ts'

/** One fault of one thing outside the service. */
export type Cell = {
  name: string
  hold_ms: number
  begin: (world: World) => Promise<void> | void
  end: (world: World) => Promise<void> | void
}

const hold_ms = 10_000

/** Every edge with every fault, and the long ones. */
export function allCells(): Cell[] {
  return [
    ...proxied('postgres'),
    readOnly(10_000),
    frozenPostgres(60_000),
    ...Array.from({ length: 20 }, crashedPostgres),
    ...proxied('redis'),
    frozenRedis(10_000),
    ...proxied('receiver'),
    muteNames(10_000),
    slowReaders(10_000),
    unreadLog(10_000),
  ]
}

/** What fits in a test. */
export function someCells(): Cell[] {
  const short = (cell: Cell, ms: number) => ({ ...cell, hold_ms: ms })
  const of = (edge: keyof World['proxies'], fault: string) =>
    proxied(edge).filter(({ name }) => name === `${edge}: ${fault}`)
  return [
    ...of('postgres', 'refuse').map((cell) => short(cell, 1000)),
    ...of('postgres', 'reset').map((cell) => short(cell, 1000)),
    ...of('postgres', 'silence').map((cell) => short(cell, 9000)),
    readOnly(1000),
    crashedPostgres(),
    ...of('redis', 'silence').map((cell) => short(cell, 1000)),
    ...of('receiver', 'silence').map((cell) => short(cell, 1000)),
    muteNames(1000),
    unreadLog(1000),
  ]
}

/** A silence longer than a request may take: whatever waits for an answer of PostgreSQL is still waiting then. */
export function longSilence(): Cell[] {
  return proxied('postgres')
    .filter(({ name }) => name.endsWith('silence'))
    .map((cell) => ({ ...cell, hold_ms: 20_000 }))
}

function proxied(edge: keyof World['proxies']): Cell[] {
  return connectionFaults.map((fault) => ({
    name: `${edge}: ${fault}`,
    hold_ms,
    begin: ({ proxies }) => proxies[edge].begin(fault),
    end: ({ proxies }) => proxies[edge].end(),
  }))
}

function readOnly(ms: number): Cell {
  const set = async ({ postgres }: World, value: 'on' | 'off') => {
    await postgres.run(`alter system set default_transaction_read_only = ${value}`)
    await postgres.run('select pg_reload_conf()')
  }
  return {
    name: 'postgres: read-only',
    hold_ms: ms,
    begin: (world) => set(world, 'on'),
    end: (world) => set(world, 'off'),
  }
}

function frozenPostgres(ms: number): Cell {
  return {
    name: 'postgres: frozen',
    hold_ms: ms,
    begin: ({ postgres }) => postgres.freeze(),
    end: ({ postgres }) => postgres.thaw(),
  }
}

function crashedPostgres(): Cell {
  return { name: 'postgres: killed', hold_ms: 500, begin: ({ postgres }) => postgres.crash(), end: () => {} }
}

function frozenRedis(ms: number): Cell {
  return {
    name: 'redis: frozen',
    hold_ms: ms,
    begin: ({ redis }) => redis.freeze(),
    end: ({ redis }) => redis.thaw(),
  }
}

function muteNames(ms: number): Cell {
  return {
    name: 'dns: silence',
    hold_ms: ms,
    begin: ({ names }) => void (names.silent = true),
    end: ({ names }) => void (names.silent = false),
  }
}

/** Callers that ask for a large answer and do not read it. */
function slowReaders(ms: number): Cell {
  let sockets: ReturnType<typeof connect>[] = []
  return {
    name: 'clients: read nothing',
    hold_ms: ms,
    begin({ address }) {
      const { hostname, port } = new URL(address)
      sockets = Array.from({ length: 50 }, () => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {
          // The service may close it.
        })
        socket.pause()
        socket.write('GET /docs/scalar.js HTTP/1.1\r\nhost: x\r\n\r\n')
        return socket
      })
    },
    end() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function unreadLog(ms: number): Cell {
  return {
    name: 'standard error: not read',
    hold_ms: ms,
    begin: ({ serve, work }) => {
      for (const { child } of [serve, work]) child.stderr?.pause()
    },
    end: ({ serve, work }) => {
      for (const { child } of [serve, work]) child.stderr?.resume()
    },
  }
}
