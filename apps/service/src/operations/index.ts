export { type RestoreReport, applyRestore, readRestoreStatus } from './restore/apply.ts'
export { completeInDoubt, settleLedger } from './restore/complete-in-doubt.ts'
export { abortMove, finishMove, listMovedRoutes } from './tenant-moves/end-move.ts'
export { moveTenant } from './tenant-moves/move.ts'
