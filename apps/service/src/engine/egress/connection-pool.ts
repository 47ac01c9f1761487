import type { Socket } from 'node:net'
import type { Client } from 'undici'
import { openKeyedSemaphore } from '../scheduling/keyed-semaphore.ts'
import type { Dial } from './dial.ts'
import type { Target } from './read-target.ts'

/**
 * A connection and its HTTP client. It carries one exchange at a time; `isReused` if it has carried one before. `onReadable` is
 * called whenever bytes have arrived: adding and removing a listener of the socket for each exchange takes longer.
 */
export type OutboundConnection = {
  client: Client
  socket: Socket
  origin: string
  isReused: boolean
  onReadable: (() => void) | undefined
}

export type AcquireOptions = { target: Target; signal: AbortSignal; fresh: boolean }

export type OutboundPool = {
  /** Returns an idle connection to the target or dials a `fresh` one. Waits while the host is at its limit. Throws what dialling throws. */
  acquire(options: AcquireOptions): Promise<OutboundConnection>
  /** Returns the connection after an exchange. It is reused if it is still open. */
  release(connection: OutboundConnection): void
  close(): void
}

/** A slow receiver must not take all our sockets. Senders should not start more exchanges per host than this. */
export const maxConnectionsPerHost = 64

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

/** Keeps idle connections per host. A connection never reconnects by itself, so its address is always one that was checked. */
export function openOutboundPool(dial: Dial): OutboundPool {
  const slots = openKeyedSemaphore(maxConnectionsPerHost)
  /** By origin, the one used last at the end. */
  const idle = new Map<string, OutboundConnection[]>()

  function takeIdle(origin: string): OutboundConnection | undefined {
    const connections = idle.get(origin)
    const connection = connections?.pop()
    if (connections?.length === 0) idle.delete(origin)
    return connection
  }

  function addIdle(connection: OutboundConnection): void {
    const connections = idle.get(connection.origin)
    if (connections === undefined) idle.set(connection.origin, [connection])
    else connections.push(connection)
  }

  function removeIdle(connection: OutboundConnection): void {
    const others = (idle.get(connection.origin) ?? []).filter((other) => other !== connection)
    if (others.length === 0) idle.delete(connection.origin)
    else idle.set(connection.origin, others)
  }

  return {
    async acquire({ target, signal, fresh }) {
      const { origin } = target
      await slots.acquire(origin, signal)
      const reusable = takeIdle(origin)
      if (reusable !== undefined && !fresh) return reusable

      reusable?.socket.destroy()
      try {
        // Loaded with the first connection: most commands make none.
        const undici = await import('undici')
        const socket = await dial(target, signal)
        const connection: OutboundConnection = {
          client: createClient(undici.Client, socket, origin),
          socket,
          origin,
          isReused: false,
          onReadable: undefined,
        }
        socket.on('readable', () => connection.onReadable?.())
        socket.once('close', () => removeIdle(connection))
        return connection
      } catch (error) {
        slots.release(origin)
        throw error
      }
    },

    release(connection) {
      const { origin, socket } = connection
      connection.isReused = true
      if (!socket.destroyed) addIdle(connection)
      slots.release(origin)
    },

    close() {
      for (const connections of idle.values()) for (const { socket } of connections) socket.destroy()
    },
  }
}

function createClient(NewClient: typeof Client, socket: Socket, origin: string): Client {
  let isConnected = false
  return new NewClient(origin, {
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
