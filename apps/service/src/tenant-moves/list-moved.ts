import type { Context } from '../context.ts'
import { deleteOldRoutes, readRoutes, type MovedRoute } from './route-store.ts'

const page = 10_000

/** What a router must send to another cell, because the tenant moved there. */
export async function* listMovedRoutes({ db }: Pick<Context, 'db'>): AsyncGenerator<MovedRoute> {
  await deleteOldRoutes(db)
  let after = ''
  for (;;) {
    const routes = await readRoutes(db, { after, limit: page })
    yield* routes
    const last = routes.at(-1)
    if (last === undefined || routes.length < page) return
    after = last.route
  }
}
