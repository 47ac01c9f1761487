import { maxResealed } from '../../apps/service/src/engine/keyring/retire.ts'
import { hsmLimits } from '../../apps/service/src/engine/keyring/hsm/hsm-messages.ts'
import type { Limit } from './limit.ts'

const file = 'apps/service/src/engine/keyring/hsm/hsm-messages.ts'

export const keyLimits: readonly Limit[] = [
  {
    what: 'signatures, and keys to wrap, that wait for a PKCS#11 token',
    value: hsmLimits.maxWaiting,
    unit: 'pieces of work',
    per: 'process and token',
    whenExceeded: '503 `overloaded`',
    name: 'hsmLimits.maxWaiting',
    file,
  },
  {
    what: 'time for a signature of a PKCS#11 token, or for a key that it wraps',
    value: hsmLimits.deadline_ms,
    unit: 'ms',
    per: 'request',
    whenExceeded: '503 `overloaded`, at start an error; a token that answered nothing is opened again',
    name: 'hsmLimits.deadline_ms',
    file,
  },
  {
    what: 'time to open a PKCS#11 token',
    value: hsmLimits.start_ms,
    unit: 'ms',
    per: 'attempt',
    whenExceeded: 'at start, an error; later, another attempt',
    name: 'hsmLimits.start_ms',
    file,
  },
  {
    what: 'time until the process of a token that only wraps keys is ended',
    value: hsmLimits.rest_ms,
    unit: 'ms',
    per: 'last use',
    whenExceeded: 'it starts again when the token is needed',
    name: 'hsmLimits.rest_ms',
    file,
  },
  {
    what: 'old values that are sealed again under the newest key',
    value: maxResealed,
    unit: 'values',
    per: 'second and worker',
    whenExceeded: 'the rest follows',
    name: 'maxResealed',
    file: 'apps/service/src/engine/keyring/retire.ts',
  },
]
