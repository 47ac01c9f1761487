import type { DashboardOperation, routes } from '@vidimus/contract'
import type { IsolationFixture } from './fixture/isolation-fixture.ts'

export type RouteName = keyof typeof routes | `dashboard.${DashboardOperation}`

/** A part of the matrix that can run on its own, on any fixture. */
export type MatrixPart = {
  name: string
  /** The routes that this part covers. */
  routes: readonly RouteName[]
  run: (fixture: IsolationFixture) => Promise<MatrixResult>
}

export type MatrixResult = { cells: number; faults: string[] }
