import type { ServiceClient, Target } from './target.ts'

/** What a check may need beyond a base address and a key; without it the check is not asked. */
export type Prerequisite =
  | 'other_key'
  | 'read_key'
  | 'live_key'
  | 'expired_key'
  | 'quota_key'
  | 'wallet'
  | 'receiver'
  | 'patience'

/** One statement about any service, which can be seen from outside. */
export type ConformanceCheck = {
  /** The requirements that it looks at. */
  ids: string
  title: string
  needs?: readonly Prerequisite[]
  run: (target: Target & ServiceClient) => Promise<void>
}

/** The checks of one part of the interface specification. */
export type SpecificationPart = { number: number; title: string; checks: readonly ConformanceCheck[] }
