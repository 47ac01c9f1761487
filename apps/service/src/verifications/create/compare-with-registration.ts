import type { AnyQuery } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { type SelectedRegistration, findExcess } from '../../trust/index.ts'
import { readVersion } from '../../templates/index.ts'
import type { ResolvedQuery } from './resolve-query.ts'

/** As many as fit in a header together with the other warnings; the dashboard's lint shows them all. */
const maxWarnings = 8

/**
 * Adds what the query asks for outside the registration that the session carries: as warnings, or as a refusal if the tenant has
 * chosen that. A wallet would warn its holder of the same (ETSI TS 119 472-2 §4.4).
 */
export async function compareWithRegistration(
  { db }: Pick<Context, 'db'>,
  resolved: ResolvedQuery,
  registration: SelectedRegistration & { tenant_id: string },
): Promise<ResolvedQuery> {
  const { template_version, query, warnings } = resolved
  if (resolved.refusal !== undefined) return resolved
  const excess = await findExcess({ db }, registration, {
    version: template_version,
    // A template was validated when its version was inserted.
    read: async () =>
      (query ?? (template_version && (await readVersion(db, template_version))?.query)) as
        | AnyQuery
        | undefined,
  })
  const [first] = excess
  if (first === undefined) return resolved
  if (registration.policy === 'refuse')
    return {
      ...resolved,
      refusal: new Refusal(
        'registration_exceeded',
        `The query asks for more than you are registered for. ${first}`,
      ),
    }
  return { ...resolved, warnings: [...warnings, ...excess.slice(0, maxWarnings)] }
}
