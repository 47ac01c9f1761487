import { maxListedAccess } from '../../apps/service/src/dashboard/team/member-access.ts'
import { defaultPlanLimits } from '../../apps/service/src/engine/config/config-values.ts'
import { guessLimits } from '../../apps/service/src/devices/pairing/enroll.ts'
import { maxPinFailures, pinLock_seconds } from '../../apps/service/src/devices/till/pin.ts'
import {
  maxFailedSignIns,
  maxFailuresInAudit,
} from '../../apps/service/src/accounts/members/sessions/limit-attempts.ts'
import { confirmationTtl_seconds } from '../../apps/service/src/accounts/members/sessions/store.ts'
import { maxSessions } from '../../apps/service/src/accounts/members/sessions/open-session.ts'
import { maxJoinedChallenges } from '../../apps/service/src/accounts/members/passkeys/challenge.ts'
import { maxPasskeys } from '../../apps/service/src/accounts/members/passkeys/register.ts'
import { maxWallets } from '../../apps/service/src/holder/page/read-wallets.ts'
import { writeRateLimits } from '../../apps/service/src/engine/limits/limiter.ts'
import { maxAnchorPage } from '../../apps/service/src/trust/anchors/list-anchors.ts'
import { maxAssignments, maxRegistrations } from '../../apps/service/src/trust/registrations/store.ts'
import { maxTenantAnchors } from '../../apps/service/src/trust/tenant/store.ts'
import {
  maxRegistrationCertificate_characters,
  maxRegistrationDataset_characters,
} from '../../packages/contract/src/dashboard/registrations.ts'
import {
  maxClientTemplates,
  maxOpenIdClients,
  maxRedirectUris,
} from '../../packages/contract/src/dashboard/openid-clients.ts'
import { maxPageOrigins } from '../../packages/contract/src/page-origin.ts'
import { maxWalletLinks } from '../../packages/contract/src/wallet-link.ts'
import type { Limit } from './limit.ts'

const openIdClients = 'packages/contract/src/dashboard/openid-clients.ts'
const folder = 'apps/service/src'

const planned = {
  devices: ['usable devices', 'devices', '429 `quota_exceeded`'],
  registrations_a_day: ['device registrations', 'devices per day', '429 `quota_exceeded`'],
  members: ['members', 'members', '409 `too_many`'],
  invitations: ['open invitations', 'invitations', '409 `too_many`'],
  keys: ['usable API keys', 'keys', '409 `too_many`'],
  templates: ['custom templates', 'templates', '409 `too_many`'],
} as const

const planLimits = Object.entries(defaultPlanLimits).flatMap(([plan, limits]) =>
  Object.entries(limits).map(([name, value]): Limit => {
    const [what, unit, whenExceeded] = planned[name as keyof typeof planned] // both have the same keys
    return {
      what,
      value,
      unit,
      per: `tenant on the ${plan} plan; configurable with \`PLAN_LIMITS\``,
      whenExceeded,
      name: `defaultPlanLimits.${plan}.${name}`,
      file: `${folder}/engine/config/config-values.ts`,
    }
  }),
)

export const memberLimits: readonly Limit[] = [
  ...planLimits,
  {
    what: 'OpenID clients',
    value: maxOpenIdClients,
    unit: 'clients',
    per: 'tenant',
    whenExceeded: '409 `too_many`',
    name: 'maxOpenIdClients',
    file: openIdClients,
  },
  {
    what: 'redirect addresses',
    value: maxRedirectUris,
    unit: 'addresses',
    per: 'OpenID client',
    whenExceeded: '400 `invalid_request`',
    name: 'maxRedirectUris',
    file: openIdClients,
  },
  {
    what: 'templates',
    value: maxClientTemplates,
    unit: 'templates',
    per: 'OpenID client',
    whenExceeded: '400 `invalid_request`',
    name: 'maxClientTemplates',
    file: openIdClients,
  },
  {
    what: 'challenges of different cells',
    value: maxJoinedChallenges,
    unit: 'challenges',
    per: 'sign-in with a passkey',
    whenExceeded: '401 `sign_in_failed`',
    name: 'maxJoinedChallenges',
    file: `${folder}/accounts/members/passkeys/challenge.ts`,
  },
  {
    what: 'changes in the dashboard',
    value: writeRateLimits.member.requests,
    unit: 'changes per minute',
    per: 'member',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'writeRateLimits.member.requests',
    file: `${folder}/engine/limits/limiter.ts`,
  },
  {
    what: 'changes in the dashboard',
    value: writeRateLimits.tenant.requests,
    unit: 'changes per day',
    per: 'tenant',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'writeRateLimits.tenant.requests',
    file: `${folder}/engine/limits/limiter.ts`,
  },
  {
    what: 'origins that may use the Digital Credentials API',
    value: maxPageOrigins,
    unit: 'origins',
    per: 'tenant',
    whenExceeded: '400 `invalid_request`',
    name: 'maxPageOrigins',
    file: 'packages/contract/src/page-origin.ts',
  },
  {
    what: "links that the holder's page opens a wallet with",
    value: maxWalletLinks,
    unit: 'links',
    per: 'tenant',
    whenExceeded: '400 `invalid_request`',
    name: 'maxWalletLinks',
    file: 'packages/contract/src/wallet-link.ts',
  },
  {
    what: 'wallets that holders can choose by name',
    value: maxWallets,
    unit: 'wallets',
    per: 'installation; `WALLETS_FILE`',
    whenExceeded: 'the service does not start',
    name: 'maxWallets',
    file: `${folder}/holder/page/read-wallets.ts`,
  },
  {
    what: 'passkeys',
    value: maxPasskeys,
    unit: 'passkeys',
    per: 'member',
    whenExceeded: '401 `sign_in_failed`',
    name: 'maxPasskeys',
    file: `${folder}/accounts/members/passkeys/register.ts`,
  },
  {
    what: 'objects in the list of what a member set up',
    value: maxListedAccess,
    unit: 'objects',
    per: 'request',
    whenExceeded: 'the list ends; a removal or a change of role affects all',
    name: 'maxListedAccess',
    file: `${folder}/dashboard/team/member-access.ts`,
  },
  {
    what: 'signed-in sessions',
    value: maxSessions,
    unit: 'sessions',
    per: 'member',
    whenExceeded: 'the oldest session ends',
    name: 'maxSessions',
    file: `${folder}/accounts/members/sessions/open-session.ts`,
  },
  {
    what: 'age of the last confirmation, for what gives lasting access or reveals',
    value: confirmationTtl_seconds,
    unit: 'seconds',
    per: 'session',
    whenExceeded: '403 `confirmation_required`',
    name: 'confirmationTtl_seconds',
    file: `${folder}/accounts/members/sessions/store.ts`,
  },
  {
    what: 'failed sign-ins in a burst',
    value: maxFailedSignIns.burst,
    unit: 'attempts',
    per: 'address',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'maxFailedSignIns.burst',
    file: `${folder}/accounts/members/sessions/limit-attempts.ts`,
  },
  {
    what: 'failed sign-ins after that',
    value: maxFailedSignIns.per_hour,
    unit: 'attempts per hour',
    per: 'address',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'maxFailedSignIns.per_hour',
    file: `${folder}/accounts/members/sessions/limit-attempts.ts`,
  },
  {
    what: 'failed sign-ins in the audit log, in a burst and then per hour',
    value: maxFailuresInAudit.burst,
    unit: 'entries',
    per: 'member',
    whenExceeded: 'only in the log of the process',
    name: 'maxFailuresInAudit.burst',
    file: `${folder}/accounts/members/sessions/limit-attempts.ts`,
  },
  {
    what: 'wrong pairing codes in a burst',
    value: guessLimits.address.burst,
    unit: 'codes',
    per: 'IPv4 address or IPv6 /64',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'guessLimits.address.burst',
    file: `${folder}/devices/pairing/enroll.ts`,
  },
  {
    what: 'wrong pairing codes after that',
    value: guessLimits.address.per_hour,
    unit: 'codes per hour',
    per: 'IPv4 address or IPv6 /64',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'guessLimits.address.per_hour',
    file: `${folder}/devices/pairing/enroll.ts`,
  },
  {
    what: 'wrong pairing codes in a burst',
    value: guessLimits.site.burst,
    unit: 'codes',
    per: 'IPv6 /48',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'guessLimits.site.burst',
    file: `${folder}/devices/pairing/enroll.ts`,
  },
  {
    what: 'wrong pairing codes after that',
    value: guessLimits.site.per_hour,
    unit: 'codes per hour',
    per: 'IPv6 /48',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'guessLimits.site.per_hour',
    file: `${folder}/devices/pairing/enroll.ts`,
  },
  {
    what: 'wrong pairing codes in a burst',
    value: guessLimits.everyone.burst,
    unit: 'codes',
    per: 'service',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'guessLimits.everyone.burst',
    file: `${folder}/devices/pairing/enroll.ts`,
  },
  {
    what: 'wrong pairing codes after that',
    value: guessLimits.everyone.per_hour,
    unit: 'codes per hour',
    per: 'service',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'guessLimits.everyone.per_hour',
    file: `${folder}/devices/pairing/enroll.ts`,
  },
  {
    what: 'wrong PINs in a row',
    value: maxPinFailures,
    unit: 'PINs',
    per: 'device',
    whenExceeded: `no PIN is accepted for ${pinLock_seconds} s`,
    name: 'maxPinFailures',
    file: `${folder}/devices/till/pin.ts`,
  },
  {
    what: 'registrations',
    value: maxRegistrations,
    unit: 'registrations',
    per: 'tenant',
    whenExceeded: '409 `too_many`',
    name: 'maxRegistrations',
    file: `${folder}/trust/registrations/store.ts`,
  },
  {
    what: 'templates that name a registration',
    value: maxAssignments,
    unit: 'templates',
    per: 'tenant',
    whenExceeded: '409 `too_many`',
    name: 'maxAssignments',
    file: `${folder}/trust/registrations/store.ts`,
  },
  {
    what: 'registration certificate',
    value: maxRegistrationCertificate_characters,
    unit: 'characters',
    per: 'certificate',
    whenExceeded: '400 `invalid_request`',
    name: 'maxRegistrationCertificate_characters',
    file: 'packages/contract/src/dashboard/registrations.ts',
  },
  {
    what: 'data set of a registrar',
    value: maxRegistrationDataset_characters,
    unit: 'characters',
    per: 'registration',
    whenExceeded: '400 `invalid_request`',
    name: 'maxRegistrationDataset_characters',
    file: 'packages/contract/src/dashboard/registrations.ts',
  },
  {
    what: 'custom trust anchors',
    value: maxTenantAnchors,
    unit: 'anchors',
    per: 'tenant and environment',
    whenExceeded: '400 `invalid_request`',
    name: 'maxTenantAnchors',
    file: `${folder}/trust/tenant/store.ts`,
  },
  {
    what: 'anchors of the service',
    value: maxAnchorPage,
    unit: 'anchors',
    per: 'page of the settings, besides those of the sandbox',
    whenExceeded: 'the page says where the next one begins',
    name: 'maxAnchorPage',
    file: `${folder}/trust/anchors/list-anchors.ts`,
  },
]
