import type { z } from 'zod'
import type { ErrorCode } from './vocabulary/error-codes.ts'
import type { Scope } from './scopes.ts'

/** The error for an id that cannot exist: ids that are too long, malformed or undecodable get this 404 (GEN-10). */
export type NotFoundCode = Extract<ErrorCode, `${string}_not_found` | 'not_found' | 'invalid_response_code'>

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are in braces, as in OpenAPI. */
  path: `/${string}`
  summary: string
  /** The required scope. If absent, no key is needed, and a key that is sent is ignored (AUTH-13). */
  scope?: Scope
  params?: z.ZodObject
  not_found?: NotFoundCode
  query?: z.ZodObject
  json?: z.ZodType
  /** The JSON may be larger than that of other routes. */
  large_json?: true
  form?: z.ZodType
  /** Request headers that the route reads: name and description. */
  headers?: Record<string, string>
  /** The success response. Text is sent unchanged with its media type. */
  success: { status: 200 | 201; body: z.ZodType; media?: string; description?: string }
  /** Its success response has a `Link` to the holder's page of the verification. */
  links_page?: true
  /** Error codes specific to this route, in addition to `commonRefusals`. */
  refusals?: readonly ErrorCode[]
  /** Allows requests from pages of any origin (STAT-1). */
  any_origin?: true
}

/** A route of the OpenAPI document, which describes its response. */
export type PublishedRoute = Route & { success: { description: string } }
