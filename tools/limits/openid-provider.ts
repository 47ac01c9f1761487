import {
  browserCookie_seconds,
  codeLifetime_seconds,
  jwksMaxAge_seconds,
  responseTime_seconds,
  returnTime_seconds,
  tokenLifetime_seconds,
} from '../../apps/service/src/holder/openid-provider/secrets.ts'
import {
  maxNonce_characters,
  maxState_characters,
} from '../../apps/service/src/holder/openid-provider/authorize/read-request.ts'
import { problemPause_seconds } from '../../apps/service/src/holder/openid-provider/clients/record-problem.ts'
import { newKeyDelay_seconds } from '../../apps/service/src/holder/openid-provider/issuer/rotate-keys.ts'
import { addressShare } from '../../apps/service/src/holder/openid-provider/authorize/limit-address.ts'
import { maxRepeatedQuery_characters } from '../../apps/service/src/holder/page/layout.ts'
import type { Limit } from './limit.ts'

const file = 'apps/service/src/holder/openid-provider/secrets.ts'
const request = 'apps/service/src/holder/openid-provider/authorize/read-request.ts'

export const openidLimits: readonly Limit[] = [
  {
    what: 'verifications that are started through OpenID Connect, if that is more than a thirtieth of the daily quota',
    value: addressShare.min,
    unit: 'verifications',
    per: 'tenant, address and minute',
    whenExceeded: 'the site gets `temporarily_unavailable`',
    name: 'addressShare.min',
    file: 'apps/service/src/holder/openid-provider/authorize/limit-address.ts',
  },
  {
    what: 'time for a wallet to respond',
    value: responseTime_seconds,
    unit: 's',
    per: 'authorization request',
    whenExceeded: 'the site gets `access_denied`',
    name: 'responseTime_seconds',
    file,
  },
  {
    what: 'time until the browser must be back',
    value: returnTime_seconds,
    unit: 's',
    per: 'authorization request',
    whenExceeded: 'a page that says so',
    name: 'returnTime_seconds',
    file,
  },
  {
    what: 'time to exchange a code',
    value: codeLifetime_seconds,
    unit: 's',
    per: 'code',
    whenExceeded: '`invalid_grant`',
    name: 'codeLifetime_seconds',
    file,
  },
  {
    what: 'life of an ID token and an access token',
    value: tokenLifetime_seconds,
    unit: 's',
    per: 'exchange',
    whenExceeded: '401 `invalid_token`',
    name: 'tokenLifetime_seconds',
    file,
  },
  {
    what: 'time that clients may keep the published keys',
    value: jwksMaxAge_seconds,
    unit: 's',
    per: 'response',
    whenExceeded: 'they are fetched again',
    name: 'jwksMaxAge_seconds',
    file,
  },
  {
    what: 'time from publishing a new key until it signs',
    value: newKeyDelay_seconds,
    unit: 's',
    per: 'rotation',
    whenExceeded: 'the key signs',
    name: 'newKeyDelay_seconds',
    file: 'apps/service/src/holder/openid-provider/issuer/rotate-keys.ts',
  },
  {
    what: 'life of the cookie that recognises the browser',
    value: browserCookie_seconds,
    unit: 's',
    per: 'browser',
    whenExceeded: 'the next request sets another',
    name: 'browserCookie_seconds',
    file,
  },
  {
    what: '`state` of an authorization request',
    value: maxState_characters,
    unit: 'characters',
    per: 'authorization request',
    whenExceeded: '`invalid_request`',
    name: 'maxState_characters',
    file: request,
  },
  {
    what: '`nonce` of an authorization request',
    value: maxNonce_characters,
    unit: 'characters',
    per: 'authorization request',
    whenExceeded: '`invalid_request`',
    name: 'maxNonce_characters',
    file: request,
  },
  {
    what: 'time between two notes of a refused request',
    value: problemPause_seconds,
    unit: 's',
    per: 'client',
    whenExceeded: 'the later one is not noted',
    name: 'problemPause_seconds',
    file: 'apps/service/src/holder/openid-provider/clients/record-problem.ts',
  },
  {
    what: 'query that the links to other languages repeat, where a request cannot be answered at the site',
    value: maxRepeatedQuery_characters,
    unit: 'characters',
    per: 'page',
    whenExceeded: 'the links leave it out',
    name: 'maxRepeatedQuery_characters',
    file: 'apps/service/src/holder/page/layout.ts',
  },
]
