import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { NotFoundCode } from '../routes.ts'
import type { Permission } from './roles.ts'

/** A route of the dashboard's own API. Its envelope, request ids and limits are those of the published one. */
export type DashboardRoute = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  summary: string
  /** What the member's role has to allow. `anyone`: no session is needed. `signed_in`: any session. */
  may: Permission | 'signed_in' | 'anyone'
  /** A person's browser is sent there by another site, so that it cannot be held to come from our own pages. */
  cross_site?: true
  /** Stays open and tells what happens. */
  stream?: true
  params?: z.ZodObject
  unknown?: NotFoundCode
  query?: z.ZodObject
  json?: z.ZodType
  success: { status: 200 | 201 | 303; body: z.ZodType; media?: string }
  refusals?: readonly ErrorCode[]
}
