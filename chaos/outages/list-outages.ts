import { connect } from 'node:net'
import { connectionFaults } from '../../apps/service/test/network/fault-proxy.ts'
import type { OutageFixture } from './start-behind-proxies.ts'

/** One failure mode of one external dependency. */
export type Outage = {
  name: string
  duration_ms: number
  begin: (fixture: OutageFixture) => Promise<void> | void
  end: (fixture: OutageFixture) => Promise<void> | void
}

const duration_ms = 10_000

/** Every dependency with every failure mode. */
export function allOutages(): Outage[] {
  return [
    ...proxyFaults('postgres'),
    readOnlyPostgres(10_000),
    frozenPostgres(60_000),
    ...Array.from({ length: 20 }, crashedPostgres),
    ...proxyFaults('redis'),
    frozenRedis(10_000),
    ...proxyFaults('receiver'),
    silentNameServer(10_000),
    slowReaders(10_000),
    unreadLog(10_000),
  ]
}

/** The outages that are short enough for a test. */
export function shortOutages(): Outage[] {
  const shorten = (outage: Outage, ms: number) => ({ ...outage, duration_ms: ms })
  const proxyFault = (edge: keyof OutageFixture['proxies'], fault: string) =>
    proxyFaults(edge).filter(({ name }) => name === `${edge}: ${fault}`)
  return [
    ...proxyFault('postgres', 'refuse').map((outage) => shorten(outage, 1000)),
    ...proxyFault('postgres', 'reset').map((outage) => shorten(outage, 1000)),
    ...proxyFault('postgres', 'silence').map((outage) => shorten(outage, 9000)),
    readOnlyPostgres(1000),
    crashedPostgres(),
    ...proxyFault('redis', 'silence').map((outage) => shorten(outage, 1000)),
    ...proxyFault('receiver', 'silence').map((outage) => shorten(outage, 1000)),
    silentNameServer(1000),
    unreadLog(1000),
  ]
}

/** PostgreSQL stays silent for longer than a request may take, so that anything without a timeout is still waiting. */
export function longPostgresSilence(): Outage[] {
  return proxyFaults('postgres')
    .filter(({ name }) => name.endsWith('silence'))
    .map((outage) => ({ ...outage, duration_ms: 20_000 }))
}

function proxyFaults(edge: keyof OutageFixture['proxies']): Outage[] {
  return connectionFaults.map((fault) => ({
    name: `${edge}: ${fault}`,
    duration_ms,
    begin: ({ proxies }) => proxies[edge].begin(fault),
    end: ({ proxies }) => proxies[edge].end(),
  }))
}

function readOnlyPostgres(ms: number): Outage {
  const set = async ({ postgres }: OutageFixture, value: 'on' | 'off') => {
    await postgres.run(`alter system set default_transaction_read_only = ${value}`)
    await postgres.run('select pg_reload_conf()')
  }
  return {
    name: 'postgres: read-only',
    duration_ms: ms,
    begin: (fixture) => set(fixture, 'on'),
    end: (fixture) => set(fixture, 'off'),
  }
}

function frozenPostgres(ms: number): Outage {
  return {
    name: 'postgres: frozen',
    duration_ms: ms,
    begin: ({ postgres }) => postgres.freeze(),
    end: ({ postgres }) => postgres.thaw(),
  }
}

function crashedPostgres(): Outage {
  return {
    name: 'postgres: killed',
    duration_ms: 500,
    begin: ({ postgres }) => postgres.crash(),
    end: () => {},
  }
}

function frozenRedis(ms: number): Outage {
  return {
    name: 'redis: frozen',
    duration_ms: ms,
    begin: ({ redis }) => redis.freeze(),
    end: ({ redis }) => redis.thaw(),
  }
}

function silentNameServer(ms: number): Outage {
  return {
    name: 'dns: silence',
    duration_ms: ms,
    begin: ({ nameServerState }) => void (nameServerState.silent = true),
    end: ({ nameServerState }) => void (nameServerState.silent = false),
  }
}

/** Clients that request a large response and do not read it. */
function slowReaders(ms: number): Outage {
  let sockets: ReturnType<typeof connect>[] = []
  return {
    name: 'clients: read nothing',
    duration_ms: ms,
    begin({ address }) {
      const { hostname, port } = new URL(address)
      sockets = Array.from({ length: 50 }, () => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {
          // The service may close the connection.
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

function unreadLog(ms: number): Outage {
  return {
    name: 'standard error: not read',
    duration_ms: ms,
    begin: ({ serve, work }) => {
      for (const { child } of [serve, work]) child.stderr?.pause()
    },
    end: ({ serve, work }) => {
      for (const { child } of [serve, work]) child.stderr?.resume()
    },
  }
}
