import type { AlertKind, AttentionKind, TenantAttentionList } from '@vidimus/contract'
import { readTenantNames, readUndecided } from '../accounts/index.ts'
import { countOpenAlerts } from '../audit/index.ts'
import type { Context } from '../engine/context.ts'

/** Entries of the list. What is below them is seen once they are gone. */
export const maxAttention = 50

const kinds = [
  'endpoint_disabled',
  'endpoint_failing',
  'webhook_url_failing',
  'certificate_expires',
  'registration_refused',
  'registration_expires',
  'trust_list_stale',
  'quota',
] as const satisfies readonly (AlertKind & AttentionKind)[]

/** What operators should look at: what waits for them, and what tenants were alerted to and did not mend. Never of whom or what it is about. */
export async function listAttention({ db }: Pick<Context, 'db'>): Promise<TenantAttentionList> {
  const limit = maxAttention + 1
  const undecided = await readUndecided(db, limit)
  const alerts = await countOpenAlerts(db, { kinds, limit })
  const tenants = [...new Set(alerts.map(({ tenant_id }) => tenant_id))]
  const names = new Map((await readTenantNames(db, tenants)).map(({ id, name }) => [id, name]))
  const all = [
    ...undecided.map(({ id, name, kind, since }) => ({ tenant: { id, name }, kind, since, count: 1 })),
    ...alerts.flatMap(({ tenant_id: id, kind, since, count }) => {
      const name = names.get(id)
      return name === undefined ? [] : [{ tenant: { id, name }, kind, since, count }]
    }),
  ].toSorted((one, other) => other.since.localeCompare(one.since))
  return { data: all.slice(0, maxAttention), more: all.length > maxAttention }
}
