import type { ServiceClient, Target } from './target.ts'

/** What a check may need besides a base URL and a key. Without it, the check is skipped. */
export type Prerequisite =
  | 'other_key'
  | 'read_key'
  | 'live_key'
  | 'expired_key'
  | 'quota_key'
  | 'wallet'
  | 'receiver'
  | 'slow'

/** One requirement that can be tested from outside. */
export type ConformanceCheck = {
  /** The ids of the requirements that it tests. */
  ids: readonly string[]
  title: string
  needs?: readonly Prerequisite[]
  run: (target: Target & ServiceClient) => Promise<void>
}

/** The checks of one part of the interface specification. */
export type SpecificationPart = { number: number; title: string; checks: readonly ConformanceCheck[] }
