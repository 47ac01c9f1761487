import type { Context } from '../../engine/context.ts'
import { deleteOldRoutes, readRoutes, type MovedRoute } from './route-store.ts'

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
