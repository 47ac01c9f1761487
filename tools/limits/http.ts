import { longestUrl } from '../../packages/contract/src/values.ts'
import { maxDepth } from '../../apps/service/src/platform/http/parse-body.ts'
import { pressureLimits } from '../../apps/service/src/platform/http/pressure.ts'
import { arriveWithin_ms, maxBodyBytes } from '../../apps/service/src/platform/http/read-body.ts'
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
