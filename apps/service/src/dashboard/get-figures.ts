import type { Environment, FigureQuery, Figures } from '@vidimus/contract'
import type { Context } from '../engine/context.ts'
import { nameDevices } from '../devices/index.ts'
import { getSessionFigures } from '../verifications/index.ts'

/** The figures of a tenant's verifications, with the names of its devices. */
export async function getFigures(
  ctx: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment },
  query: FigureQuery,
): Promise<Figures> {
  const figures = await getSessionFigures(ctx, scope, query)
  const names = await nameDevices(
    ctx,
    scope.tenant_id,
    figures.devices.map(({ id }) => id),
  )
  return {
    ...figures,
    devices: figures.devices.map(({ id, created }) => ({ id, name: names.get(id) ?? id, created })),
  }
}
