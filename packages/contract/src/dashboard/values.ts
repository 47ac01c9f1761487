import { z } from 'zod'
import { environments } from '../scopes.ts'
import { text } from '../text.ts'
import { roles } from './roles.ts'

export const EnvironmentName = z.enum(environments)
export const RoleName = z.enum(roles)
export const MemberName = text({ min: 1, max: 80 })

/** Only displayed and compared; the service sends no mail. Whoever invites a member passes the link on. */
export const Email = text({ min: 3, max: 254 })
  .refine((value) => /^[^\s@]+@[^\s@]+$/u.test(value), 'must be an e-mail address')
  .transform((value) => value.toLowerCase())

/** The body of a response without content. */
export type EmptyResponse = z.infer<typeof EmptyResponse>
export const EmptyResponse = z.strictObject({}).meta({ id: 'EmptyResponse' })
