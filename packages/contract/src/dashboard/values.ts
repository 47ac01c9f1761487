import { z } from 'zod'
import { environments } from '../scopes.ts'
import { text } from '../text.ts'
import { roles } from './roles.ts'

export const EnvironmentName = z.enum(environments)
export const RoleName = z.enum(roles)
export const MemberName = text({ min: 1, max: 80 })

/** Displayed and compared. Mail is sent to it only if it is a plain address; other links are passed on by hand. */
export const Email = text({ min: 3, max: 254 })
  .refine((value) => /^[^\s@]+@[^\s@]+$/u.test(value), 'must be an e-mail address')
  .transform((value) => value.toLowerCase())

/** The body of a response without content. */
export type EmptyResponse = z.infer<typeof EmptyResponse>
export const EmptyResponse = z.strictObject({}).meta({ id: 'EmptyResponse' })
