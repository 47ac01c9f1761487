import { longestUrl } from '../../packages/contract/src/values.ts'
import { maxDepth, maxFormFields, maxJsonValues } from '../../apps/service/src/platform/http/parse-body.ts'
import { pressureLimits } from '../../apps/service/src/platform/http/pressure.ts'
import {
  arriveWithin_ms,
  maxBodyBytes,
  maxBytesAtOnce,
} from '../../apps/service/src/platform/http/read-body.ts'
import { largeBody_bytes } from '../../apps/service/src/platform/http/read-request.ts'
import { serverBounds } from '../../apps/service/src/platform/http/server.ts'
import type { Limit } from './limit.ts'

const folder = 'apps/service/src/platform/http'
const server = { file: `${folder}/server.ts`, per: 'request', beyond: '400 `invalid_request`' }
const body = { per: 'request', beyond: '400 `invalid_request`' }
const overloaded = { per: 'process', beyond: '503 `overloaded`', file: `${folder}/pressure.ts` }

export const httpLimits: readonly Limit[] = [
  {
    what: 'headers',
    value: serverBounds.headers_bytes,
    unit: 'bytes',
    name: 'serverBounds.headers_bytes',
    ...server,
  },
  {
    what: 'address of a request',
    value: serverBounds.url_characters,
    unit: 'characters',
    name: 'serverBounds.url_characters',
    ...server,
  },
  {
    what: 'time until the headers have arrived',
    value: serverBounds.headers_ms,
    unit: 'ms',
    name: 'serverBounds.headers_ms',
    ...server,
  },
  {
    what: 'time until the body has arrived',
    value: arriveWithin_ms,
    unit: 'ms',
    name: 'arriveWithin_ms',
    file: `${folder}/read-body.ts`,
    ...body,
  },
  {
    what: 'JSON body',
    value: maxBodyBytes.json,
    unit: 'bytes',
    name: 'maxBodyBytes.json',
    file: `${folder}/read-body.ts`,
    ...body,
  },
  {
    what: 'form body (a wallet response)',
    value: maxBodyBytes.form,
    unit: 'bytes',
    name: 'maxBodyBytes.form',
    file: `${folder}/read-body.ts`,
    ...body,
  },
  {
    what: 'nesting of a JSON body',
    value: maxDepth,
    unit: 'levels',
    name: 'maxDepth',
    file: `${folder}/parse-body.ts`,
    ...body,
  },
  {
    what: 'members and items of a JSON body, at all levels',
    value: maxJsonValues,
    unit: 'values',
    name: 'maxJsonValues',
    file: `${folder}/parse-body.ts`,
    ...body,
  },
  {
    what: 'fields of a form',
    value: maxFormFields,
    unit: 'fields',
    name: 'maxFormFields',
    file: `${folder}/parse-body.ts`,
    ...body,
  },
  {
    what: 'body of a wallet that is read before its session is looked up',
    value: largeBody_bytes,
    unit: 'bytes',
    name: 'largeBody_bytes',
    file: `${folder}/read-request.ts`,
    per: 'request',
    beyond: 'read only when the session is open',
  },
  {
    what: 'bodies being read or answered at a time',
    value: maxBytesAtOnce.each,
    unit: 'bytes',
    name: 'maxBytesAtOnce.each',
    file: `${folder}/read-body.ts`,
    per: 'address and process',
    beyond: '429 `rate_limit_exceeded`',
  },
  {
    what: 'bodies being read or answered at a time',
    value: maxBytesAtOnce.all,
    unit: 'bytes',
    name: 'maxBytesAtOnce.all',
    file: `${folder}/read-body.ts`,
    per: 'process',
    beyond: '503 `overloaded`',
  },
  {
    what: 'a URL in a body',
    value: longestUrl,
    unit: 'characters',
    name: 'longestUrl',
    file: 'packages/contract/src/values.ts',
    ...body,
  },
  {
    what: 'idle connection',
    value: serverBounds.keep_alive_ms,
    unit: 'ms',
    name: 'serverBounds.keep_alive_ms',
    file: server.file,
    per: 'connection',
    beyond: 'closed',
  },
  {
    what: 'requests in progress',
    value: pressureLimits.first.active,
    unit: 'requests',
    name: 'pressureLimits.first.active',
    ...overloaded,
  },
  {
    what: 'requests in progress, for routes that are shed last',
    value: pressureLimits.last.active,
    unit: 'requests',
    name: 'pressureLimits.last.active',
    ...overloaded,
  },
  {
    what: 'event loop delay',
    value: pressureLimits.first.delay_ms,
    unit: 'ms',
    name: 'pressureLimits.first.delay_ms',
    ...overloaded,
  },
  {
    what: 'event loop delay, for routes that are shed last',
    value: pressureLimits.last.delay_ms,
    unit: 'ms',
    name: 'pressureLimits.last.delay_ms',
    ...overloaded,
  },
]
