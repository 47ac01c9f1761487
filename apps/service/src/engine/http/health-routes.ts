import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isDiskFull } from '../db/failures.ts'
import { ledgerReason } from '../ledger/errors.ts'
import { Refusal } from '../basics/refusal.ts'
import type { HttpContext } from './endpoint.ts'
import { openHealthLimiter, shareCheck } from './limit-health-checks.ts'

export type Health = {
  draining: () => boolean
  canSign: () => boolean
  pendingMigrations: () => Promise<string[]>
}

/** Why the process cannot serve requests. Undefined if it can. */
export type ReadReadiness = () => Promise<string | undefined>

/** `/healthz`: the process is up. `/readyz`: it can serve requests: the database responds, is writable, has space and is migrated, the key that signs requests can be used, and the process is not stopping. */
export function mountHealth(
  app: FastifyInstance,
  { limiter, draining, canSign, pendingMigrations }: Health & Pick<HttpContext, 'limiter'>,
): ReadReadiness {
  const checkMigrations = shareCheck(() =>
    pendingMigrations().catch((error: unknown) => {
      if (ledgerReason(error) !== undefined)
        return 'The database cannot be compared with the erasure ledger. The log says why.'
      if (isDiskFull(error)) return 'The disk of the database is full.'
      return 'The database does not respond or is read-only.'
    }),
  )
  const refuseTooMany = limiter.limits === undefined ? undefined : openHealthLimiter()
  const route = {
    config: { limited: true },
    onRequest: async ({ ip }: FastifyRequest) => refuseTooMany?.(ip),
  }

  app.get('/healthz', route, async () => ({ status: 'ok' }))
  app.get('/readyz', route, async () => {
    const reason = await findReason()
    if (reason !== undefined) throw new Refusal('overloaded', reason, 1)
    return { status: 'ready' }
  })
  return findReason

  async function findReason(): Promise<string | undefined> {
    if (draining()) return 'The process is stopping.'
    if (!canSign()) return 'The key that signs requests cannot be used. The log says why.'
    const pending = await checkMigrations()
    if (typeof pending === 'string') return pending
    return pending.length > 0 ? 'The database has pending migrations.' : undefined
  }
}
