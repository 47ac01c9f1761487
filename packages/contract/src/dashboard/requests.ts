import { z } from 'zod'
import { text } from '../text.ts'
import { Count, queryInteger, Timestamp, TimestampInput } from '../values.ts'

/** A request of a key or a device: never its body, its path or its response. */
export type LoggedRequest = z.infer<typeof LoggedRequest>
export const LoggedRequest = z
  .strictObject({
    id: z.string(),
    at: Timestamp,
    request_id: z.string(),
    method: z.string(),
    /** The pattern, such as `/v1/verifications/{id}`. */
    route: z.string(),
    /** 499: the caller disconnected before the response was sent. */
    status: z.int(),
    error_code: z.string().optional(),
    /** The header `X-Service-Warning` of its response. */
    warning: z.string().optional(),
    duration_ms: z.number(),
    /** For a request with an `Idempotency-Key`. */
    idempotency: z.enum(['new', 'replayed', 'conflict']).optional(),
    key_id: z.string().optional(),
    device_id: z.string().optional(),
    /** For a request of the dashboard that failed. */
    member_id: z.string().optional(),
  })
  .meta({ id: 'LoggedRequest' })

/** The time and number of the last request of a page. */
const LogCursor = text({ max: 64 }).regex(
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z_\d{1,18}$/,
  'must be the next_before of a page',
)

export type FilterRequests = z.infer<typeof FilterRequests>
export const FilterRequests = z.strictObject({
  limit: queryInteger({ min: 1, max: 100, defaultValue: 50 }),
  before: LogCursor.optional(),
  status: z.enum(['2xx', '3xx', '4xx', '5xx']).optional(),
  /** A part of method and route: `POST /v1/ver`. */
  route: text({ max: 128 }).optional(),
  error_code: text({ max: 64 }).optional(),
  key_id: z.uuid().optional(),
  device_id: z.uuid().optional(),
  /** Exactly this request; the other filters are ignored. */
  request_id: text({ max: 64 }).optional(),
  /** The requests about this verification; the other filters are ignored. */
  verification_id: text({ max: 128 }).optional(),
  from: TimestampInput.optional(),
  to: TimestampInput.optional(),
})

export type RequestPage = z.infer<typeof RequestPage>
export const RequestPage = z
  .strictObject({
    data: z.array(LoggedRequest),
    /** Absent on the last page. A page may have fewer entries than `limit`, even none. */
    next_before: z.string().optional(),
    /** Requests in the time of this page that were not recorded, because there were too many at once. */
    omitted: Count,
    /** Whether requests are recorded now; `unavailable`: the operator has switched it off. */
    recording: z.enum(['on', 'off', 'unavailable']),
  })
  .meta({ id: 'RequestPage' })

export type RequestLogSettings = z.infer<typeof RequestLogSettings>
export const RequestLogSettings = z
  .strictObject({
    enabled: z.boolean(),
    /** False: the operator has switched the log off for everyone. */
    available: z.boolean(),
  })
  .meta({ id: 'RequestLogSettings' })

export type ChangeRequestLog = z.infer<typeof ChangeRequestLog>
export const ChangeRequestLog = z.strictObject({ enabled: z.boolean() }).meta({ id: 'ChangeRequestLog' })
