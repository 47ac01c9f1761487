import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Dial } from './dial.ts'
import type { Target } from './read-target.ts'

/** A connection and its HTTP client. It carries one exchange at a time; `isReused` if it has carried one before. */
export type OutboundConnection = { client: Client; socket: Socket; origin: string; isReused: boolean }

export type AcquireOptions = { target: Target; signal: AbortSignal; fresh: boolean }

export type OutboundPool = {
  /** Returns an idle connection to the target or dials a `fresh` one. Waits while the host is at its limit. Throws what dialling throws. */
  acquire(options: AcquireOptions): Promise<OutboundConnection>
  /** Returns the connection after an exchange. It is reused if it is still open. */
  release(connection: OutboundConnection): void
  close(): void
}

/** A slow receiver must not take all our sockets. Senders should not start more exchanges per host than this. */
export const maxConnectionsPerHost = 16

const clientOptions = {
  allowH2: false,
  maxHeaderSize: 16 * 1024,
  // The sender enforces the time limit of the whole exchange.
  headersTimeout: 0,
  bodyTimeout: 0,
  // Short, because many servers close idle connections after two seconds without announcing it, and a request on a closing connection is lost.
  keepAliveTimeout: 1000,
  keepAliveMaxTimeout: 4000,
}

type HostState = { taken: number; idle: OutboundConnection[]; waiting: (() => void)[] }

/** Keeps idle connections per host. A connection never reconnects by itself, so its address is always one that was checked. */
export function openOutboundPool(dial: Dial): OutboundPool {
  const hosts = new Map<string, HostState>()

  function getHost(origin: string): HostState {
    const host = hosts.get(origin) ?? { taken: 0, idle: [], waiting: [] }
    hosts.set(origin, host)
    return host
  }

  function removeIfUnused(origin: string, { taken, idle, waiting }: HostState): void {
    if (taken === 0 && idle.length === 0 && waiting.length === 0) hosts.delete(origin)
  }

  function releaseSlot(origin: string, host: HostState): void {
    const next = host.waiting.shift()
    if (next === undefined) host.taken -= 1
    else next()
    removeIfUnused(origin, host)
  }

  return {
    async acquire({ target, signal, fresh }) {
      const { origin } = target
      const host = getHost(origin)
      await acquireSlot(host, signal)
      const kept = host.idle.pop()
      if (kept !== undefined && !fresh) return kept

      kept?.socket.destroy()
      try {
        const socket = await dial(target, signal)
        const connection = { client: createClient(socket, origin), socket, origin, isReused: false }
        socket.once('close', () => {
          host.idle = host.idle.filter((other) => other !== connection)
          removeIfUnused(origin, host)
        })
        return connection
      } catch (error) {
        releaseSlot(origin, host)
        throw error
      }
    },

    release(connection) {
      const host = getHost(connection.origin)
      connection.isReused = true
      if (!connection.socket.destroyed) host.idle.push(connection)
      releaseSlot(connection.origin, host)
    },

    close() {
      for (const { idle } of hosts.values()) for (const { socket } of idle) socket.destroy()
    },
  }
}

async function acquireSlot(host: HostState, signal: AbortSignal): Promise<void> {
  if (host.taken < maxConnectionsPerHost) {
    host.taken += 1
    return
  }
  const slot = Promise.withResolvers<void>()
  host.waiting.push(slot.resolve)
  signal.addEventListener('abort', () => {
    host.waiting = host.waiting.filter((waiting) => waiting !== slot.resolve)
    slot.reject(signal.reason)
  })
  await slot.promise
}

function createClient(socket: Socket, origin: string): Client {
  let isConnected = false
  return new Client(origin, {
    ...clientOptions,
    connect(_options, callback) {
      const isReconnect = isConnected
      isConnected = true
      // The client expects the callback to be asynchronous.
      queueMicrotask(() =>
        isReconnect ? callback(new Error('this connection was closed'), null) : callback(null, socket),
      )
    },
  })
}
