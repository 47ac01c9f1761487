import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Dial } from './dial.ts'
import type { Target } from './read-target.ts'

/** One connection with the HTTP client that speaks over it. It carries one exchange at a time; `kept` from an earlier one. */
export type Line = { client: Client; socket: Socket; origin: string; kept: boolean }

export type TakeLine = { target: Target; signal: AbortSignal; fresh: boolean }

export type Lines = {
  /** A line to the target, kept or `fresh`. Waits while the host has as many as it may have. Throws what dialling throws. */
  take(wanted: TakeLine): Promise<Line>
  /** Ends an exchange. The line is kept for the next one if it is still whole. */
  giveBack(line: Line): void
  close(): void
}

/** A receiver that takes its time must not take all our sockets. Whoever sends to it should ask for no more at once. */
export const linesPerHost = 16

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

type Host = { taken: number; kept: Line[]; waiting: (() => void)[] }

/** Keeps lines open between exchanges, by host. A line never connects again by itself: what was checked is what is used. */
export function keepLines(dial: Dial): Lines {
  const hosts = new Map<string, Host>()

  function hostOf(origin: string): Host {
    const host = hosts.get(origin) ?? { taken: 0, kept: [], waiting: [] }
    hosts.set(origin, host)
    return host
  }

  function forgetIfUnused(origin: string, { taken, kept, waiting }: Host): void {
    if (taken === 0 && kept.length === 0 && waiting.length === 0) hosts.delete(origin)
  }

  function leave(origin: string, host: Host): void {
    const next = host.waiting.shift()
    if (next === undefined) host.taken -= 1
    else next()
    forgetIfUnused(origin, host)
  }

  return {
    async take({ target, signal, fresh }) {
      const { origin } = target
      const host = hostOf(origin)
      await enter(host, signal)
      const kept = host.kept.pop()
      if (kept !== undefined && !fresh) return kept

      kept?.socket.destroy()
      try {
        const socket = await dial(target, signal)
        const line = { client: clientOver(socket, origin), socket, origin, kept: false }
        socket.once('close', () => {
          host.kept = host.kept.filter((other) => other !== line)
          forgetIfUnused(origin, host)
        })
        return line
      } catch (error) {
        leave(origin, host)
        throw error
      }
    },

    giveBack(line) {
      const host = hostOf(line.origin)
      line.kept = true
      if (!line.socket.destroyed) host.kept.push(line)
      leave(line.origin, host)
    },

    close() {
      for (const { kept } of hosts.values()) for (const { socket } of kept) socket.destroy()
    },
  }
}

async function enter(host: Host, signal: AbortSignal): Promise<void> {
  if (host.taken < linesPerHost) {
    host.taken += 1
    return
  }
  const turn = Promise.withResolvers<void>()
  host.waiting.push(turn.resolve)
  signal.addEventListener('abort', () => {
    host.waiting = host.waiting.filter((waiting) => waiting !== turn.resolve)
    turn.reject(signal.reason)
  })
  await turn.promise
}

function clientOver(socket: Socket, origin: string): Client {
  let given = false
  return new Client(origin, {
    ...clientOptions,
    connect(_options, callback) {
      const again = given
      given = true
      // The client expects its connection later than it asks for it.
      queueMicrotask(() =>
        again ? callback(new Error('this line was closed'), null) : callback(null, socket),
      )
    },
  })
}
