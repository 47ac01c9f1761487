import { z } from 'zod'

/** Scopes that change a tenant's configuration. A key with one of them is made by a person who confirmed it, and expires (AUTH-14). */
export const managementScopes = [
  'templates:manage',
  'settings:manage',
  'trust:manage',
  'openid_clients:manage',
  'sealing:manage',
  'keys:manage',
] as const

/** What an API key may do (AUTH-6). */
export const scopes = [
  'verifications:create',
  'verifications:read',
  'verifications:delete',
  'devices:manage',
  'webhooks:manage',
  'links:manage',
  'config:read',
  'members:read',
  'requests:read',
  'audit:read',
  ...managementScopes,
] as const
export type Scope = z.infer<typeof Scope>
export const Scope = z.enum(scopes)

export const environments = ['test', 'live'] as const
export type Environment = (typeof environments)[number]
