import type { RegistrationPolicy } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { type ChangeVersion, validatedCache } from '../../../engine/db/index.ts'
import { maxAssignments } from '../store.ts'
import { readSelectable, type SelectableRow } from './select-store.ts'

/** The registration that a new session is asked under. */
export type SelectedRegistration = {
  id: string
  /** The hash of the `verifier_info` that the session carries. */
  info: Buffer
  policy: RegistrationPolicy
}

/**
 * The registration that the template names, or else the tenant's default; a query of its own is asked under the default. Undefined if
 * the tenant has neither. A request that has seen a version passes it, and needs no statement.
 */
export async function selectRegistration(
  { db }: Pick<Context, 'db'>,
  { tenant_id, template }: { tenant_id: string; template: string | undefined },
  version?: ChangeVersion,
): Promise<SelectedRegistration | undefined> {
  const selectable = (await selectables.at(db, version, tenant_id)) ?? nothing
  return (template === undefined ? undefined : selectable.byTemplate.get(template)) ?? selectable.default
}

type Selectable = {
  default: SelectedRegistration | undefined
  byTemplate: ReadonlyMap<string, SelectedRegistration>
}

const nothing: Selectable = { default: undefined, byTemplate: new Map() }

/** Most tenants have no registration, so that is kept as well. */
const selectables = validatedCache<string, Selectable>({
  maxBatch: 100,
  maxWaiting: 5000,
  nameOf: (id) => id,
  async read(db, ids) {
    const { moment, rows } = await readSelectable(db, ids, { maxTemplates: maxAssignments })
    const byTenant = Map.groupBy(rows, ({ tenant_id }) => tenant_id)
    return { moment, values: ids.map((id) => toSelectable(byTenant.get(id))) }
  },
})

function toSelectable(rows: SelectableRow[] | undefined): Selectable {
  if (rows === undefined) return nothing
  const selected = rows.map(({ id, info, policy, is_default, templates }) => ({
    registration: { id, info, policy },
    is_default,
    templates,
  }))
  return {
    default: selected.find(({ is_default }) => is_default)?.registration,
    byTemplate: new Map(
      selected.flatMap(({ registration, templates }) => templates.map((key) => [key, registration] as const)),
    ),
  }
}
