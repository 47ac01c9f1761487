export { completeInDoubt, loadRestore, loadTenantMoves, confirmLedger } from './load-extras.ts'
export type { RestoreReport } from './restore/apply.ts'
