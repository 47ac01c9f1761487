import { type DeletedRows, deleteTenant } from '../../accounts/index.ts'
import { appendAudit } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { CellContexts } from './copy.ts'
import { disableHold } from './hold.ts'
import { withMoveLock } from './lock.ts'
import {
  type MovedRoute,
  advanceMove,
  deleteMove,
  deleteOldRoutes,
  findMove,
  hasTenant,
  readRoutes,
} from './store.ts'

type FinishMove = {
  tenant_id: string
  /** The tenant's name, to confirm. */
  name: string
}

/** Ends a move that has not been copied yet: the tenant is served here again. */
export async function abortMove(cells: CellContexts, tenant_id: string): Promise<void> {
  await withMoveLock(cells.source, tenant_id, () => runAbort(cells, tenant_id))
}

async function runAbort({ source, target }: CellContexts, tenant_id: string): Promise<void> {
  const started = await findMove(source.db, tenant_id)
  if (started === undefined) throw new Refusal('not_found', 'This tenant is not being moved.')
  if (started.stage === 'finishing' || started.stage === 'finished' || started.stage === 'moved')
    throw new Refusal('invalid_request', `The tenant is in cell ${started.to_cell} already.`)
  if ((await hasTenant(target.db, tenant_id)).tenant)
    throw new Refusal(
      'invalid_request',
      'The other cell has the tenant already: run the move again to complete it.',
    )
  await source.db.transaction(async (tx) => {
    await deleteMove(tx, tenant_id)
    if (started.stage === 'frozen')
      await appendAudit(tx, { action: 'tenant.move_aborted', by: { kind: 'operator', tenant_id } })
  })
  await disableHold(source)
}

/** Deletes the tenant here, once the router sends its requests to the other cell. Only what routes them stays. */
export async function finishMove(cells: CellContexts, move: FinishMove): Promise<DeletedRows> {
  return withMoveLock(cells.source, move.tenant_id, () => runFinish(cells, move))
}

async function runFinish(
  { source, target }: CellContexts,
  { tenant_id, name }: FinishMove,
): Promise<DeletedRows> {
  const started = await findMove(source.db, tenant_id)
  if (started?.stage !== 'moved' && started?.stage !== 'finishing')
    throw new Refusal('invalid_request', 'This tenant was not moved. Nothing was deleted.')
  if (!(await hasTenant(target.db, tenant_id)).tenant)
    throw new Refusal('invalid_request', 'The other cell does not have the tenant. Nothing was deleted.')
  await advanceMove(source.db, { tenant_id, from: 'moved', to: 'finishing' })
  const deleted = await deleteTenant(source, { tenant_id, name })
  await advanceMove(source.db, { tenant_id, from: 'finishing', to: 'finished' })
  await disableHold(source)
  return deleted
}

export const maxRoutesPerPage = 10_000

/** What a router must send to another cell, because the tenant moved there. */
export async function* listMovedRoutes({ db }: Pick<Context, 'db'>): AsyncGenerator<MovedRoute> {
  await deleteOldRoutes(db)
  let after = ''
  for (;;) {
    const routes = await readRoutes(db, { after, limit: maxRoutesPerPage })
    yield* routes
    const last = routes.at(-1)
    if (last === undefined || routes.length < maxRoutesPerPage) return
    after = last.route
  }
}
