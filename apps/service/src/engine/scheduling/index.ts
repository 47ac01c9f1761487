export { chargeStep, waitPaused } from './work.ts'
export { openLoopBackoff, runEvery } from './loops.ts'
export { openScheduler } from './scheduler.ts'
export { type ReleaseSlot, type Slots, openSlots, takeReadSlot } from './slots.ts'
export {
  type LastUseRecorder,
  type TemporaryFile,
  openTemporaryFile,
  recordLastUse,
} from './record-last-use.ts'
