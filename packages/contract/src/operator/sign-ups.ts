import { z } from 'zod'
import { text } from '../text.ts'
import { queryInteger, Timestamp } from '../values.ts'
import { Reason } from './sign-in.ts'

/** A tenant that opened its account by itself. */
export type SignedUp = z.infer<typeof SignedUp>
export const SignedUp = z
  .strictObject({
    tenant: z.strictObject({
      id: z.uuid(),
      name: z.string(),
      state: z.enum(['active', 'suspended', 'closed']),
    }),
    /** `pending`: it tests, and waits for live verifications. `waiting`: it can do nothing yet. `refused`: no live verifications. */
    approval: z.enum(['approved', 'pending', 'waiting', 'refused']),
    /** Of its first owner, who confirmed it. Absent if there is none any more. */
    email: z.string().optional(),
    signed_up_at: Timestamp,
  })
  .meta({ id: 'SignedUp' })

export type ListSignUps = z.infer<typeof ListSignUps>
export const ListSignUps = z.strictObject({
  limit: queryInteger({ min: 1, max: 100, defaultValue: 50 }),
  /** The `next` of the previous page. */
  after: text({ min: 1, max: 100 }).optional(),
})

export type SignUpList = z.infer<typeof SignUpList>
export const SignUpList = z
  .strictObject({
    /** Whether people can sign up now, as `SIGN_UP` says. */
    mode: z.enum(['off', 'waitlist', 'open']),
    /** Those that wait for a decision, oldest first. */
    data: z.array(SignedUp),
    next: z.string().optional(),
  })
  .meta({ id: 'SignUpList' })

/** The tenant reads the reason in its audit log, and if it is closed also on its dashboard. */
export const RefuseTenant = z.strictObject({ reason: Reason }).meta({ id: 'RefuseTenant' })
