import {
  maxCountedSealedResults,
  maxRetiredSealingKeys,
  maxSealingKeys,
  sealingChallenge_seconds,
} from '@vidimus/contract'
import type { Limit } from './limit.ts'

const file = 'packages/contract/src/dashboard/sealing.ts'

export const sealingLimits: readonly Limit[] = [
  {
    what: 'keys that results are sealed to, or may be soon',
    value: maxSealingKeys,
    unit: 'keys',
    per: 'tenant and environment',
    whenExceeded: '409 `too_many`',
    name: 'maxSealingKeys',
    file,
  },
  {
    what: 'retired sealing keys that are still listed',
    value: maxRetiredSealingKeys,
    unit: 'keys',
    per: 'tenant and environment',
    whenExceeded: 'the one that was retired first is deleted',
    name: 'maxRetiredSealingKeys',
    file,
  },
  {
    what: 'stored results of a sealing key that are counted',
    value: maxCountedSealedResults,
    unit: 'results',
    per: 'key',
    whenExceeded: '`more` is true',
    name: 'maxCountedSealedResults',
    file,
  },
  {
    what: 'time to answer the challenge of a sealing key',
    value: sealingChallenge_seconds,
    unit: 's',
    per: 'challenge',
    whenExceeded: '409 `sealing_conflict`; register the key again',
    name: 'sealingChallenge_seconds',
    file,
  },
]
