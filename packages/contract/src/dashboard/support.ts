import { z } from 'zod'
import { Timestamp } from '../values.ts'

/** Who let operators look at a tenant, and until when. Members see it on every page of their dashboard. */
export type SupportAccess = z.infer<typeof SupportAccess>
export const SupportAccess = z
  .strictObject({
    /** `tenant`: an owner granted it. `operator`: an operator took it. */
    by: z.enum(['tenant', 'operator']),
    /** The name of who did. */
    name: z.string(),
    reason: z.string().optional(),
    since: Timestamp,
    until: Timestamp,
  })
  .meta({ id: 'SupportAccess' })

/** The same for operators. */
export type SupportState = z.infer<typeof SupportState>
export const SupportState = z
  .strictObject({
    /** Absent if operators may not look. */
    access: SupportAccess.optional(),
    /** Whether operators of this installation may take access without the tenant's consent, as `SUPPORT_ACCESS` says. */
    may_take: z.boolean(),
    now: Timestamp,
  })
  .meta({ id: 'SupportState' })
