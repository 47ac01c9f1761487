import { z } from 'zod'
import { environments } from '../scopes.ts'
import { Count, Timestamp } from '../values.ts'

/**
 * What every tenant of a cell used on a day that can no longer change, for the operator's own billing (`BILLING_URL`). Each day has one event, or
 * several parts if it has very many rows; a part is the same on every attempt, but for the time.
 */
export type UsageDayPayload = z.infer<typeof UsageDayPayload>
export const UsageDayPayload = z
  .strictObject({
    type: z.literal('usage.day.final'),
    cell: z.string(),
    /** In UTC. */
    day: z.iso.date(),
    part: z.int().min(1),
    parts: z.int().min(1),
    /** By tenant, environment and outcome. Tenants that were deleted are in it. */
    usage: z.array(
      z.strictObject({
        tenant_id: z.uuid(),
        environment: z.enum(environments),
        outcome: z.string(),
        verifications: Count,
      }),
    ),
    sent_at: Timestamp,
  })
  .meta({ id: 'UsageDayPayload' })
