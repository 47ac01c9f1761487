import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { NotFoundCode } from '../route.ts'
import type { Permission } from './roles.ts'

/** A route of the dashboard's API. Error envelope, request ids and limits are the same as in the published API. */
export type DashboardRoute = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  summary: string
  /** The required permission. `anyone`: no session is needed. `signed_in`: any session. */
  may: Permission | 'signed_in' | 'anyone'
  /** Another site redirects the browser here, so the origin check does not apply. */
  cross_site?: true
  /** The response is a stream. */
  stream?: true
  params?: z.ZodObject
  not_found?: NotFoundCode
  query?: z.ZodObject
  json?: z.ZodType
  success: { status: 200 | 201 | 303; body: z.ZodType; media?: string }
  refusals?: readonly ErrorCode[]
}
