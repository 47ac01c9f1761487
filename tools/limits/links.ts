import { defaultDailyLimits, maxVerificationLinks } from '@vidimus/contract'
import { writeRateLimits } from '../../apps/service/src/engine/limits/limiter.ts'
import { addressShare, ttl_seconds } from '../../apps/service/src/holder/links/visit-link.ts'
import { maxResults, resultMailPause_seconds } from '../../apps/service/src/holder/links/mail-results.ts'
import { endedLinkRetention_days } from '../../apps/service/src/holder/links/sweep-links.ts'
import { maxDailyLimit, maxRef_characters } from '../../packages/contract/src/dashboard/links.ts'
import type { Limit } from './limit.ts'

const contract = 'packages/contract/src/dashboard/links.ts'
const visit = 'apps/service/src/holder/links/visit-link.ts'
const limiter = 'apps/service/src/engine/limits/limiter.ts'

export const linkLimits: readonly Limit[] = [
  {
    what: 'verification links',
    value: maxVerificationLinks,
    unit: 'links',
    per: 'tenant',
    whenExceeded: '409 `too_many`',
    name: 'maxVerificationLinks',
    file: contract,
  },
  {
    what: 'verifications of a link for many, unless it says otherwise',
    value: defaultDailyLimits.reusable,
    unit: 'verifications',
    per: 'link and UTC day',
    whenExceeded: 'a page that says so (429)',
    name: 'defaultDailyLimits.reusable',
    file: contract,
  },
  {
    what: 'verifications of a link for one person, unless it says otherwise',
    value: defaultDailyLimits.single_use,
    unit: 'verifications',
    per: 'link and UTC day',
    whenExceeded: 'a page that says so (429)',
    name: 'defaultDailyLimits.single_use',
    file: contract,
  },
  {
    what: 'daily limit that a link can have',
    value: maxDailyLimit,
    unit: 'verifications',
    per: 'link and UTC day',
    whenExceeded: '400 `invalid_request`',
    name: 'maxDailyLimit',
    file: contract,
  },
  {
    what: 'verifications that one address starts with a link',
    value: writeRateLimits.link.requests,
    unit: 'verifications',
    per: 'link, address and minute',
    whenExceeded: 'a page that says so (429)',
    name: 'writeRateLimits.link.requests',
    file: limiter,
  },
  {
    what: 'verifications that one address starts with a link, if that is more than a quarter of its daily limit',
    value: addressShare.min,
    unit: 'verifications',
    per: 'link, address and day',
    whenExceeded: 'a page that says so (429)',
    name: 'addressShare.min',
    file: visit,
  },
  {
    what: 'time for a wallet to respond after a link was opened',
    value: ttl_seconds,
    unit: 's',
    per: 'verification',
    whenExceeded: 'the verification expires; the link can be opened again',
    name: 'ttl_seconds',
    file: visit,
  },
  {
    what: 'time for which a link that expired or was used is kept',
    value: endedLinkRetention_days,
    unit: 'days',
    per: 'link',
    whenExceeded: 'it is deleted',
    name: 'endedLinkRetention_days',
    file: 'apps/service/src/holder/links/sweep-links.ts',
  },
  {
    what: '`?ref=` of a link',
    value: maxRef_characters,
    unit: 'characters',
    per: 'visit',
    whenExceeded: 'it is left out',
    name: 'maxRef_characters',
    file: contract,
  },
  {
    what: 'time in which results of links are collected into one mail',
    value: resultMailPause_seconds,
    unit: 's',
    per: 'tenant',
    whenExceeded: 'they are mailed to each member who wants them',
    name: 'resultMailPause_seconds',
    file: 'apps/service/src/holder/links/mail-results.ts',
  },
  {
    what: 'results of links in one mail',
    value: maxResults,
    unit: 'results',
    per: 'mail',
    whenExceeded: 'the rest follow in the next one',
    name: 'maxResults',
    file: 'apps/service/src/holder/links/mail-results.ts',
  },
]
