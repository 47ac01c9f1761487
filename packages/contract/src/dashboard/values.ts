import { z } from 'zod'
import { environments } from '../scopes.ts'
import { text } from '../text.ts'
import { roles } from './roles.ts'

export const EnvironmentName = z.enum(environments)
export const RoleName = z.enum(roles)
/** The member of the examples. */
export const exampleMemberId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
export const MemberName = text({ min: 1, max: 80 })

const mailAtom = String.raw`[^\s@<>()[\]\\,;:"\p{Cc}]+`

/**
 * An address that mail can be sent to. Anything that could be read as a list, a comment, a route or another header is left out, although
 * standards allow some of it.
 */
export const mailAddress = new RegExp(`^${mailAtom}@${mailAtom}$`, 'u')

export const Email = text({ min: 3, max: 254 })
  .refine((value) => mailAddress.test(value), 'must be an e-mail address')
  .transform((value) => value.toLowerCase())

/** The body of a response without content. */
export type EmptyResponse = z.infer<typeof EmptyResponse>
export const EmptyResponse = z.strictObject({}).meta({ id: 'EmptyResponse' })
