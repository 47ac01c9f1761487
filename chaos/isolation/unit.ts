import type { DashboardOperation, routes } from '@vidimus/contract'
import type { World } from './world.ts'

export type RouteName = keyof typeof routes | `dashboard.${DashboardOperation}`

/** A part of the matrix that can be run in any world by itself. */
export type Unit = {
  name: string
  /** The routes whose cells are here. */
  routes: readonly RouteName[]
  run: (world: World) => Promise<Found>
}

export type Found = { cells: number; faults: string[] }
