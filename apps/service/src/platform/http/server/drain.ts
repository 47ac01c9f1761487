import { Server } from 'node:net'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export type DrainTimes = {
  /** Still accepting, so that whoever spreads the load has time to see that the process is not ready. */
  accept_ms: number
  /** Then serving what is connected. A connection that stays idle for so long is closed. */
  serve_ms: number
}

const pollInterval_ms = 20

/**
 * Stops a server without failing anyone. Every answer already asks its caller to close; here the process stops accepting,
 * and waits until the connections are gone; closing the server then disturbs nobody. An idle connection is not closed at
 * once: its caller may be writing a request to it at this very moment.
 */
export async function drain(app: FastifyInstance, { accept_ms, serve_ms }: DrainTimes): Promise<void> {
  await sleep(accept_ms)
  // A timer comes before the turn's new connections, and closing cuts off those that nobody has taken yet.
  await turn()
  // Not http's own close(), which would cut idle connections off at once.
  Server.prototype.close.call(app.server)
  const end = performance.now() + serve_ms
  while (performance.now() < end && (await countConnections(app)) > 0) await sleep(pollInterval_ms)
}

function countConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0))
  })
}
