import { maxResealed } from '../../apps/service/src/platform/keyring/reseal.ts'
import { tokenLimits } from '../../apps/service/src/platform/signing/open-token.ts'
import type { Limit } from './limit.ts'

const file = 'apps/service/src/platform/signing/open-token.ts'

export const keyLimits: readonly Limit[] = [
  {
    what: 'signatures that wait for the PKCS#11 token',
    value: tokenLimits.maxWaiting,
    unit: 'signatures',
    per: 'process',
    whenExceeded: '503 `overloaded`',
    name: 'tokenLimits.maxWaiting',
    file,
  },
  {
    what: 'time for a signature of the PKCS#11 token',
    value: tokenLimits.deadline_ms,
    unit: 'ms',
    per: 'request',
    whenExceeded: '503 `overloaded`; a token that answered nothing is opened again',
    name: 'tokenLimits.deadline_ms',
    file,
  },
  {
    what: 'time to open the PKCS#11 token',
    value: tokenLimits.start_ms,
    unit: 'ms',
    per: 'attempt',
    whenExceeded: 'at start, an error; later, another attempt',
    name: 'tokenLimits.start_ms',
    file,
  },
  {
    what: 'old values that are sealed again under the newest key',
    value: maxResealed,
    unit: 'values',
    per: 'second and worker',
    whenExceeded: 'the rest follows',
    name: 'maxResealed',
    file: 'apps/service/src/platform/keyring/reseal.ts',
  },
]
