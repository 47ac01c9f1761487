import type { Caller, World } from './world.ts'

/** What a check may need beyond a base address and a key; without it the check is not asked. */
export type Need =
  | 'other_key'
  | 'read_key'
  | 'live_key'
  | 'expired_key'
  | 'quota_key'
  | 'wallet'
  | 'receiver'
  | 'patience'

/** One statement about any service, which can be seen from outside. */
export type Check = {
  /** The requirements that it looks at. */
  ids: string
  title: string
  needs?: readonly Need[]
  run: (world: World & Caller) => Promise<void>
}

/** The checks of one part of the interface specification. */
export type Part = { number: number; title: string; checks: readonly Check[] }
