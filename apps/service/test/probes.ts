import { text, type Route } from '@vidimus/contract'
import { z } from 'zod'
import { endpoint, type Endpoint } from '../src/engine/http/endpoint.ts'

const Probe = z.strictObject({ ok: z.literal(true), note: z.string().optional() })
const success = { status: 200, body: Probe } as const

/** Routes that do nothing, for tests of behaviour that all routes share. */
const routes = {
  read: {
    method: 'GET',
    path: '/v1/probe',
    summary: 'Reads',
    scope: 'verifications:read',
    query: z.strictObject({ limit: z.string().regex(/^\d+$/).optional(), q: text().optional() }),
    success,
  },
  write: {
    method: 'POST',
    path: '/v1/probe',
    summary: 'Writes',
    scope: 'verifications:create',
    json: z.strictObject({ name: text({ min: 1, max: 8 }), more: z.unknown().optional() }),
    success,
  },
  remove: {
    method: 'DELETE',
    path: '/v1/probe/{id}',
    summary: 'Removes',
    scope: 'verifications:delete',
    params: z.object({ id: text({ min: 1, max: 128 }) }),
    not_found: 'session_not_found',
    success,
  },
  status: {
    method: 'GET',
    path: '/v1/probe/{id}/status',
    summary: 'Needs no key',
    params: z.object({ id: text({ min: 1, max: 128 }) }),
    not_found: 'session_not_found',
    success,
    any_origin: true,
  },
  wallet: {
    method: 'POST',
    path: '/wallet/probe/{sessionId}',
    summary: 'Takes a form',
    params: z.object({ sessionId: text({ min: 1, max: 128 }) }),
    not_found: 'session_not_found',
    form: z.record(text(), text()),
    success,
  },
  fault: { method: 'POST', path: '/v1/probe/fault', summary: 'Fails', json: z.unknown(), success },
  surplus: { method: 'GET', path: '/v1/probe/surplus', summary: 'Says too much', success },
} satisfies Record<string, Route>

const ok = { body: { ok: true } } as const

export const probes: readonly Endpoint[] = [
  endpoint(routes.read, async () => ok),
  endpoint(routes.write, async () => ok),
  endpoint(routes.remove, async () => ok),
  endpoint(routes.status, async () => ok),
  endpoint(routes.wallet, async () => ok, { shedLast: true }),
  endpoint(routes.fault, async ({ body }) => {
    throw new Error(`a fault that quotes ${JSON.stringify(body)}`)
  }),
  endpoint(routes.surplus, async () => ({
    body: { ok: true, note: undefined, secret: 'x' } as { ok: true },
  })),
]
