import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusal.ts'

export type Health = { draining: () => boolean; pendingMigrations: () => Promise<string[]> }

/** `/healthz`: the process is up. `/readyz`: it may be sent requests: the database answers, takes writes, is migrated, and nobody told us to stop. */
export function mountHealth(app: FastifyInstance, { draining, pendingMigrations }: Health): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    if (draining()) throw notReady('The process is stopping.')
    const pending = await pendingMigrations().catch(() => undefined)
    if (pending === undefined) throw notReady('The database does not answer or is read-only.')
    if (pending.length > 0) throw notReady('The database has to be migrated first.')
    return { status: 'ready' }
  })
}

function notReady(message: string): Refusal {
  return new Refusal('overloaded', message, 1)
}
