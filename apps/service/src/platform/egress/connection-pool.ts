import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Dial } from './dial.ts'
import type { Target } from './read-target.ts'

/** One connection with the HTTP client that speaks over it. It carries one exchange at a time; `kept` from an earlier one. */
export type OutboundConnection = { client: Client; socket: Socket; origin: string; isReused: boolean }

export type AcquireOptions = { target: Target; signal: AbortSignal; fresh: boolean }

export type OutboundPool = {
  /** A line to the target, kept or `fresh`. Waits while the host has as many as it may have. Throws what dialling throws. */
  acquire(options: AcquireOptions): Promise<OutboundConnection>
  /** Ends an exchange. The line is kept for the next one if it is still whole. */
  release(connection: OutboundConnection): void
  close(): void
}

/** A receiver that takes its time must not take all our sockets. Whoever sends to it should ask for no more at once. */
export const maxConnectionsPerHost = 16

const clientOptions = {
  allowH2: false,
  maxHeaderSize: 16 * 1024,
  // Whoever sends keeps the time of the whole exchange.
  headersTimeout: 0,
  bodyTimeout: 0,
  // Short, because many servers hang up after two seconds without saying so, and what meets a closing line is lost.
  keepAliveTimeout: 1000,
  keepAliveMaxTimeout: 4000,
}

type HostState = { taken: number; idle: OutboundConnection[]; waiting: (() => void)[] }

/** Keeps lines open between exchanges, by host. A line never connects again by itself: what was checked is what is used. */
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
      // The client expects its connection later than it asks for it.
      queueMicrotask(() =>
        isReconnect ? callback(new Error('this line was closed'), null) : callback(null, socket),
      )
    },
  })
}
