import { z } from 'zod'

/** What an API key may do (AUTH-6). */
export const scopes = [
  'verifications:create',
  'verifications:read',
  'verifications:delete',
  'devices:manage',
  'webhooks:manage',
] as const
export type Scope = z.infer<typeof Scope>
export const Scope = z.enum(scopes)

export const environments = ['test', 'live'] as const
export type Environment = (typeof environments)[number]
