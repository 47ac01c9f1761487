import type { Lint } from '@vidimus/contract'
import { isTemplate } from '@vidimus/protocol'
import type { Context } from '../engine/context.ts'
import { findExcessOf } from '../trust/index.ts'

/** What a valid template asks for outside a registration. Without an id: outside the tenant's default, if it has one. */
export async function lintRegistration(
  ctx: Pick<Context, 'db'>,
  template: unknown,
  registration: { tenant_id: string; id: string | undefined },
): Promise<Lint[]> {
  if (!isTemplate(template)) return []
  const excess = await findExcessOf(ctx, registration, template.query)
  return excess.map(({ place, what }) => ({
    level: 'warning',
    rule: 'outside_registration',
    place,
    message: `${what} is outside the registration.`,
  }))
}
