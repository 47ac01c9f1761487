/** Calls a wallet through the browser without the element, for the till. */
export { createDcCalls, type DcCalls } from './channels/dc-calls.ts'
export { connectSession } from './service.ts'
export type { StateChange } from './state/state.ts'
