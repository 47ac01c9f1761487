import { z } from 'zod'

export const topics = [
  'verifications',
  'deliveries',
  'devices',
  'keys',
  'templates',
  'team',
  'settings',
] as const
export type Topic = (typeof topics)[number]

/**
 * What a message of `/events` says, as the `data` of an event named `change`: read these lists again. `ids` names the
 * verifications that changed, when they are few. Messages are coalesced; one says what happened since the one before.
 */
export type ChangeEvent = z.infer<typeof ChangeEvent>
export const ChangeEvent = z
  .strictObject({ topics: z.array(z.enum(topics)), ids: z.array(z.string()).max(50).optional() })
  .meta({ id: 'ChangeEvent' })
