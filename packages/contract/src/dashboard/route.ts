import type { z } from 'zod'
import type { ErrorCode } from '../vocabulary/error-codes.ts'
import type { NotFoundCode } from '../route.ts'
import type { Permission } from './roles.ts'

/** A route of the dashboard's API. Error envelope, request ids and limits are the same as in the published API. */
export type DashboardRoute = Access & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  summary: string
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

/** Routes with these need no decision: they show neither secrets nor claims, and change nothing. */
type ReadOnly = 'read' | 'read_audit'

type Access =
  | { may: ReadOnly | 'anyone'; confirmed?: false }
  | {
      /** The required permission. `anyone`: no session is needed. `signed_in`: any session. */
      may: Exclude<Permission, ReadOnly> | 'signed_in'
      /**
       * Whether the member must have confirmed their presence within the last minutes, because a session can be stolen or found on
       * an unlocked machine. True for what gives lasting access, weakens a protection, silences an alert, or reveals a secret or
       * the claims of many. False for other work, and for what only takes access away, so that nothing delays it.
       */
      confirmed: boolean
    }
