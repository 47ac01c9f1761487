import { maxOperatorPasskeys } from '../../apps/service/src/accounts/operators/passkeys.ts'
import {
  maxOperators,
  operatorInvitation_hours,
} from '../../apps/service/src/accounts/operators/operators.ts'
import { maxFailuresInLog, maxOperatorSessions } from '../../apps/service/src/accounts/operators/sign-in.ts'
import {
  operatorConfirmation_minutes,
  operatorSession_hours,
  operatorSessionIdle_minutes,
} from '../../apps/service/src/accounts/operators/session-store.ts'
import { maxOperatorTokens } from '../../apps/service/src/accounts/operators/tokens.ts'
import { tenantDeletion_days } from '../../apps/service/src/accounts/tenants/delete-later.ts'
import { maxLongReads } from '../../apps/service/src/operations/read-usage.ts'
import { maxDiskWait_ms } from '../../apps/service/src/operations/health/check-disks.ts'
import { maxAttention } from '../../apps/service/src/operations/tenant-attention.ts'
import { maxTokenLifetime_days } from '../../packages/contract/src/operator/sign-in.ts'
import type { Limit } from './limit.ts'

const folder = 'apps/service/src'
const operators = `${folder}/accounts/operators`

/** The console and the operators' API. */
export const operatorLimits: readonly Limit[] = [
  {
    what: 'operators',
    value: maxOperators,
    unit: 'operators',
    per: 'installation',
    whenExceeded: '409 `too_many`',
    name: 'maxOperators',
    file: `${operators}/operators.ts`,
  },
  {
    what: 'time to accept an invitation to the console',
    value: operatorInvitation_hours,
    unit: 'hours',
    per: 'invitation',
    whenExceeded: '404 `invalid_invitation`',
    name: 'operatorInvitation_hours',
    file: `${operators}/operators.ts`,
  },
  {
    what: 'passkeys',
    value: maxOperatorPasskeys,
    unit: 'passkeys',
    per: 'operator',
    whenExceeded: '401 `sign_in_failed`',
    name: 'maxOperatorPasskeys',
    file: `${operators}/passkeys.ts`,
  },
  {
    what: 'signed-in sessions',
    value: maxOperatorSessions,
    unit: 'sessions',
    per: 'operator',
    whenExceeded: 'the oldest session ends',
    name: 'maxOperatorSessions',
    file: `${operators}/sign-in.ts`,
  },
  {
    what: 'failed sign-ins in the audit log, in a burst and then per hour',
    value: maxFailuresInLog.burst,
    unit: 'entries',
    per: 'operator',
    whenExceeded: 'only in the log of the process',
    name: 'maxFailuresInLog.burst',
    file: `${operators}/sign-in.ts`,
  },
  {
    what: 'a session on the console without use',
    value: operatorSessionIdle_minutes,
    unit: 'minutes',
    per: 'session',
    whenExceeded: '401 `not_signed_in`',
    name: 'operatorSessionIdle_minutes',
    file: `${operators}/session-store.ts`,
  },
  {
    what: 'a session on the console',
    value: operatorSession_hours,
    unit: 'hours',
    per: 'session',
    whenExceeded: '401 `not_signed_in`',
    name: 'operatorSession_hours',
    file: `${operators}/session-store.ts`,
  },
  {
    what: 'age of the last confirmation, for what is lasting',
    value: operatorConfirmation_minutes,
    unit: 'minutes',
    per: 'session',
    whenExceeded: '403 `confirmation_required`',
    name: 'operatorConfirmation_minutes',
    file: `${operators}/session-store.ts`,
  },
  {
    what: 'tokens that work',
    value: maxOperatorTokens,
    unit: 'tokens',
    per: 'operator',
    whenExceeded: '409 `too_many`',
    name: 'maxOperatorTokens',
    file: `${operators}/tokens.ts`,
  },
  {
    what: 'lifetime of a token',
    value: maxTokenLifetime_days,
    unit: 'days',
    per: 'token',
    whenExceeded: '400 `invalid_request`',
    name: 'maxTokenLifetime_days',
    file: 'packages/contract/src/operator/sign-in.ts',
  },
  {
    what: 'time until a tenant is deleted',
    value: tenantDeletion_days,
    unit: 'days',
    per: 'tenant',
    whenExceeded: 'the deletion begins, and cannot be withdrawn',
    name: 'tenantDeletion_days',
    file: `${folder}/accounts/tenants/delete-later.ts`,
  },
  {
    what: 'entries of what needs attention',
    value: maxAttention,
    unit: 'entries',
    per: 'list',
    whenExceeded: 'the rest is seen once these are gone',
    name: 'maxAttention',
    file: `${folder}/operations/tenant-attention.ts`,
  },
  {
    what: 'time to learn the free space of a disk',
    value: maxDiskWait_ms,
    unit: 'ms',
    per: 'disk',
    whenExceeded: 'it is not known',
    name: 'maxDiskWait_ms',
    file: `${folder}/operations/health/check-disks.ts`,
  },
  {
    what: 'checks of the log and exports of usage at a time',
    value: maxLongReads.each,
    unit: 'requests',
    per: 'operator',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'maxLongReads.each',
    file: `${folder}/operations/read-usage.ts`,
  },
]
