import type { z } from 'zod'
import type { NotFoundCode } from '../route.ts'
import type { ErrorCode } from '../vocabulary/error-codes.ts'
import type { OperatorPermission } from './roles.ts'

/** A route of the operators' API. Error envelope, request ids and limits are the same as in the published API. */
export type OperatorRoute = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/operator/v1/${string}`
  summary: string
  /** The required permission. `anyone`: nobody need be signed in. `signed_in`: any operator with a session. `operator`: also a token of any role. */
  may: OperatorPermission | 'anyone' | 'signed_in' | 'operator'
  /**
   * Whether the operator must have confirmed their presence within the last minutes: true for what is lasting. A token has no presence,
   * so it can do none of these.
   */
  confirmed: boolean
  /** Another site redirects the browser here, so the origin check does not apply. */
  cross_site?: true
  params?: z.ZodObject
  not_found?: NotFoundCode
  query?: z.ZodObject
  json?: z.ZodType
  success: { status: 200 | 201 | 303; body: z.ZodType; media?: string }
  /** The response is a stream. */
  stream?: true
  refusals?: readonly ErrorCode[]
}
