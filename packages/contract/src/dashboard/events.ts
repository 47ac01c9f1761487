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
 * What a message of `/events` says, as the `data` of an event named `change`: read these lists again. Messages are
 * coalesced; one says what happened since the one before. An event named `ready` comes first, and soon a message that names
 * all of them: a page was read before it listened.
 */
export type ChangeEvent = z.infer<typeof ChangeEvent>
const ChangeEvent = z.strictObject({ topics: z.array(z.enum(topics)) })
