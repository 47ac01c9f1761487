import { z } from 'zod'
import { DeviceStatus } from '../devices.ts'
import { text } from '../text.ts'
import { TemplateKey } from '../values.ts'
import { LoggedRequest } from './requests.ts'
import { VerificationSummary } from './verifications.ts'

/** The most results of each kind. */
export const maxFoundOfKind = 5

export type SearchQuery = z.infer<typeof SearchQuery>
export const SearchQuery = z.strictObject({ text: text({ min: 2, max: 128 }) })

/** What a tenant has in an environment that matches a text, at most five of each kind. */
export type SearchResults = z.infer<typeof SearchResults>
export const SearchResults = z
  .strictObject({
    verifications: z.array(
      z.strictObject({
        ...VerificationSummary.shape,
        /** The member of its metadata with this value. Absent if its id matches. */
        metadata: z.strictObject({ name: z.string(), value: z.string() }).optional(),
      }),
    ),
    requests: z.array(LoggedRequest),
    keys: z.array(
      z.strictObject({ id: z.string(), name: z.string(), prefix: z.string(), revoked: z.boolean() }),
    ),
    devices: z.array(z.strictObject({ id: z.string(), name: z.string(), status: DeviceStatus })),
    templates: z.array(z.strictObject({ key: TemplateKey, name: z.string(), built_in: z.boolean() })),
    openid_clients: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'SearchResults' })
