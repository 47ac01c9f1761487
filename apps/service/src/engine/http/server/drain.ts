import { Server } from 'node:net'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export type DrainOptions = {
  /** Keeps accepting for this long, so that the load balancer notices that the process is not ready. */
  accept_ms: number
  /** Then serves existing connections for at most this long. */
  serve_ms: number
}

const pollInterval_ms = 20

/**
 * Stops a server without failing a request. Every response already has `Connection: close`; this function stops accepting and
 * waits until all connections are closed. An idle connection is not closed at once, because its client may be writing a request
 * to it now.
 */
export async function drain(app: FastifyInstance, { accept_ms, serve_ms }: DrainOptions): Promise<void> {
  await sleep(accept_ms)
  // Timers run before new connections are accepted in a turn, and closing would reset the ones still in the backlog.
  await turn()
  // Not http's own close(), which would close idle connections at once.
  Server.prototype.close.call(app.server)
  const end = performance.now() + serve_ms
  while (performance.now() < end && (await countConnections(app)) > 0) await sleep(pollInterval_ms)
}

function countConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0))
  })
}
