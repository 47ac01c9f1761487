import { expect, test } from 'vitest'
import { z } from 'zod'
import type { DashboardOperation } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { dashboardRoutes } from './routes.ts'

const routes = Object.entries<DashboardRoute>(dashboardRoutes) as [DashboardOperation, DashboardRoute][]

test('[DASH-9] a route that changes or reveals something does not compile without a decision on confirmation', () => {
  const { confirmed: _, ...undecided } = dashboardRoutes.createKey
  // @ts-expect-error -- `confirmed` is missing
  const planted: DashboardRoute = undecided
  expect(planted.confirmed).toBeUndefined()
})

/** Members of a response that give access to whoever has them. */
const revealing = ['secret', 'pairing_code', 'link']

test('[DASH-9] every route whose response gives access needs a confirmation', () => {
  const found = routes.filter(([, { success }]) => {
    const names = propertyNames(z.toJSONSchema(success.body, { unrepresentable: 'any' }))
    return revealing.some((name) => names.has(name))
  })
  expect(found.length).toBeGreaterThan(10)
  const unconfirmed = found.filter(([, { confirmed }]) => confirmed !== true)
  expect(unconfirmed.map(([operation]) => operation)).toEqual([])
})

function propertyNames(schema: unknown, names = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return names
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties') for (const property of Object.keys(value as object)) names.add(property)
    propertyNames(value, names)
  }
  return names
}
