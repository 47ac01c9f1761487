import { z } from 'zod'
import { text } from '../text.ts'
import { Count, describe, queryInteger, Timestamp, TimestampInput } from '../values.ts'
import { exampleVerificationId } from '../verifications.ts'
import { exampleKeyId } from './keys.ts'
import { exampleMemberId } from './values.ts'

const exampleRequestId = 'c2b6f1d04a9e4f7f'
const exampleDeviceId = '8f14e45f-ceea-4672-9c1b-3d1f0a7e5b42'

/** A request of a key or a device: never its body, its path or its response. */
export type LoggedRequest = z.infer<typeof LoggedRequest>
export const LoggedRequest = z
  .strictObject({
    id: describe(z.string(), 'The number of the entry.', '48213'),
    at: describe(Timestamp, 'When the request was received.', '2026-11-15T12:00:00.123456Z'),
    request_id: describe(z.string(), 'The `X-Request-Id` of the response.', exampleRequestId),
    method: describe(z.string(), 'The HTTP method.', 'GET'),
    route: describe(z.string(), 'The pattern of the path.', '/v1/verifications/{id}'),
    status: describe(
      z.int(),
      'The status of the response. 499: the caller disconnected before it was sent.',
      404,
    ),
    error_code: describe(z.string(), 'The error code of the response.', 'session_not_found').optional(),
    warning: describe(
      z.string(),
      'The header `X-Service-Warning` of its response.',
      'webhook_url is not encrypted: use https',
    ).optional(),
    duration_ms: describe(z.number(), 'How long the request took.', 4.2),
    idempotency: describe(
      z.enum(['new', 'replayed', 'conflict']),
      'What became of a request with an `Idempotency-Key`.',
      'new',
    ).optional(),
    key_id: describe(z.string(), 'The API key that sent it.', exampleKeyId).optional(),
    device_id: describe(z.string(), 'The device that sent it.', exampleDeviceId).optional(),
    member_id: describe(
      z.string(),
      'The member whose request in the dashboard failed.',
      exampleMemberId,
    ).optional(),
  })
  .meta({
    id: 'LoggedRequest',
    examples: [
      {
        id: '48213',
        at: '2026-11-15T12:00:00.123456Z',
        request_id: exampleRequestId,
        method: 'GET',
        route: '/v1/verifications/{id}',
        status: 404,
        error_code: 'session_not_found',
        duration_ms: 4.2,
        key_id: exampleKeyId,
      },
    ],
  })

/** The time and number of the last request of a page. */
const LogCursor = text({ max: 64 }).regex(
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z_\d{1,18}$/,
  'must be the next_before of a page',
)
const exampleCursor = '2026-11-15T12:00:00.123456Z_48213'

export type FilterRequests = z.infer<typeof FilterRequests>
export const FilterRequests = z.strictObject({
  limit: describe(
    queryInteger({ min: 1, max: 100, defaultValue: 50 }),
    'How many requests a page has at most.',
    50,
  ),
  before: describe(LogCursor, 'The `next_before` of the previous page.', exampleCursor).optional(),
  status: describe(
    z.enum(['2xx', '3xx', '4xx', '5xx']),
    'Only responses with such a status.',
    '4xx',
  ).optional(),
  route: describe(text({ max: 128 }), 'A part of method and route.', 'POST /v1/ver').optional(),
  error_code: describe(text({ max: 64 }), 'Only this error code.', 'session_not_found').optional(),
  key_id: describe(z.uuid(), 'Only requests of this API key.', exampleKeyId).optional(),
  device_id: describe(z.uuid(), 'Only requests of this device.', exampleDeviceId).optional(),
  request_id: describe(
    text({ max: 64 }),
    'Exactly this request; the other filters are ignored.',
    exampleRequestId,
  ).optional(),
  verification_id: describe(
    text({ max: 128 }),
    'The requests about this verification; the other filters are ignored.',
    exampleVerificationId,
  ).optional(),
  from: describe(TimestampInput, 'Only requests at or after this time.', '2026-11-15T00:00:00Z').optional(),
  to: describe(TimestampInput, 'Only requests before this time.', '2026-11-16T00:00:00Z').optional(),
})

export type RequestPage = z.infer<typeof RequestPage>
export const RequestPage = z
  .strictObject({
    data: describe(
      z.array(LoggedRequest),
      'Newest first. It may have fewer entries than `limit`, even none.',
    ),
    next_before: describe(
      z.string(),
      'What to give as `before` for the next page. Absent on the last page.',
      exampleCursor,
    ).optional(),
    omitted: describe(
      Count,
      'Requests in the time of this page that were not recorded, because there were too many at once.',
      0,
    ),
    recording: describe(
      z.enum(['on', 'off', 'unavailable']),
      'Whether requests are recorded now. `unavailable`: the operator has switched it off.',
      'on',
    ),
  })
  .meta({ id: 'RequestPage' })

const Enabled = describe(z.boolean(), 'Whether requests are recorded.', true)

export type RequestLogSettings = z.infer<typeof RequestLogSettings>
export const RequestLogSettings = z
  .strictObject({
    enabled: Enabled,
    available: describe(z.boolean(), 'False if the operator has switched the log off for everyone.', true),
  })
  .meta({ id: 'RequestLogSettings' })

export type ChangeRequestLog = z.infer<typeof ChangeRequestLog>
export const ChangeRequestLog = z.strictObject({ enabled: Enabled }).meta({ id: 'ChangeRequestLog' })
