export { completeInDoubt, loadRestore, loadTenantMoves, confirmLedger } from './load-extras.ts'
export { type ChangeTenantState, changeTenantState } from './tenant-state.ts'
export type { RestoreReport } from './restore/apply.ts'
