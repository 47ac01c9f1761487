import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/**
 * What can happen to a connection, as its client sees it.
 * refuse: nothing listens. reset: every connection is reset. silence: bytes are delayed until the fault ends.
 * trickle: responses arrive one byte at a time. half-open: the peer vanished without closing; such connections stay dead.
 */
export const connectionFaults = ['refuse', 'reset', 'silence', 'trickle', 'half-open'] as const
type ConnectionFault = (typeof connectionFaults)[number]

const trickle_ms = 500

export type FaultProxy = {
  port: number
  /** Connections accepted so far. */
  readonly accepted: number
  begin(fault: ConnectionFault): Promise<void>
  end(): Promise<void>
} & AsyncDisposable

type Pair = { client: Socket; server: Socket; dead: boolean; trickle?: NodeJS.Timeout }

/** Forwards TCP connections on loopback and injects faults on demand. */
export async function startFaultProxy(target: { port: number; host?: string }): Promise<FaultProxy> {
  const pairs = new Set<Pair>()
  let fault: ConnectionFault | undefined
  let accepted = 0
  let server = await listen(0)
  const { port } = server.address() as AddressInfo // a listening TCP server has one

  async function listen(on: number): Promise<Server> {
    const listening = createServer(accept).listen(on, '127.0.0.1')
    await once(listening, 'listening')
    return listening
  }

  function accept(client: Socket): void {
    accepted += 1
    const to = connect(target.port, target.host ?? '127.0.0.1')
    const pair: Pair = { client, server: to, dead: false }
    pairs.add(pair)
    for (const [from, other] of [
      [client, to],
      [to, client],
    ] as const) {
      from.on('error', () => {})
      from.on('close', () => {
        if (pair.dead && from === to) return
        other.destroy()
        clearInterval(pair.trickle)
        pairs.delete(pair)
      })
    }
    client.on('data', (bytes) => void (pair.dead || to.write(bytes)))
    to.on('data', (bytes) => void (pair.dead || client.write(bytes)))
    apply(pair)
  }

  function apply(pair: Pair): void {
    if (pair.dead) return
    clearInterval(pair.trickle)
    if (fault === undefined) {
      pair.client.resume()
      pair.server.resume()
    } else if (fault === 'refuse') pair.client.destroy()
    else if (fault === 'reset') pair.client.resetAndDestroy()
    else if (fault === 'half-open') {
      pair.dead = true
      pair.client.resume()
      pair.server.destroy()
    } else {
      // Data that was already read waits in the stream until it is resumed.
      pair.client.pause()
      pair.server.pause()
      if (fault === 'trickle') trickle(pair)
    }
  }

  /** Forwards requests at once and responses one byte at a time. */
  function trickle(pair: Pair): void {
    pair.client.resume()
    // read() emits a data event.
    pair.trickle = setInterval(() => void pair.server.read(1), trickle_ms)
  }

  return {
    port,
    get accepted() {
      return accepted
    },
    async begin(next) {
      fault = next
      if (next === 'refuse' && server.listening) server.close()
      for (const pair of pairs) apply(pair)
    },
    async end() {
      fault = undefined
      if (!server.listening) server = await listen(port)
      for (const pair of pairs) apply(pair)
    },
    async [Symbol.asyncDispose]() {
      for (const { client, server: to } of pairs) {
        client.destroy()
        to.destroy()
      }
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}
