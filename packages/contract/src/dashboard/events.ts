import { z } from 'zod'

export const topics = [
  'verifications',
  'deliveries',
  'devices',
  'keys',
  'links',
  'templates',
  'registrations',
  'team',
  'settings',
] as const
export type Topic = (typeof topics)[number]

/**
 * The `data` of a `change` event on `/events`: the lists that the page should reload. Changes since the previous message are
 * coalesced. The stream starts with a `ready` event, followed by a message that names all topics, because the page was loaded before
 * the stream was open.
 */
export type ChangeEvent = z.infer<typeof ChangeEvent>
const ChangeEvent = z.strictObject({ topics: z.array(z.enum(topics)) })
