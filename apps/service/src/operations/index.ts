export { completeInDoubt, loadRestore, loadTenantMoves, settleLedger } from './load-extras.ts'
export type { RestoreReport } from './restore/apply.ts'
