import { z } from 'zod'
import { Count, Day } from './values.ts'

export type Usage = z.infer<typeof Usage>
export const Usage = z
  .strictObject({
    day: Day,
    verifications_created: Count,
    daily_quota: Count,
    remaining: Count,
    recent: z.array(z.strictObject({ day: Day, verifications_created: Count })).max(30),
  })
  .meta({ id: 'Usage' })
