import { z } from 'zod'
import { describe, queryInteger, Timestamp } from '../values.ts'
import { exampleVerificationId, VerificationIdParam } from '../verifications.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { EmptyResponse, EnvironmentName } from './values.ts'

/** What becomes of a holder's request. `off`: nothing. `ask_merchant`: it waits for the merchant. `automatic`: it is done at once. */
export type HolderErasure = z.infer<typeof HolderErasure>
export const HolderErasure = z.enum(['off', 'ask_merchant', 'automatic'])

/** A holder's request. It says nothing about the holder, who proved only to have the code of this verification. */
export type ErasureRequest = z.infer<typeof ErasureRequest>
export const ErasureRequest = z
  .strictObject({
    verification_id: describe(
      z.string(),
      'The verification. Erase it with `DELETE /v1/verifications/{id}`, and your copies.',
      exampleVerificationId,
    ),
    requested_at: describe(
      Timestamp,
      'When its holder asked, for the first time.',
      '2026-11-19T12:00:00.123456Z',
    ),
    due_at: describe(
      Timestamp,
      'A month later: the time that GDPR article 12(3) gives you.',
      '2026-12-19T12:00:00.123456Z',
    ),
    overdue: describe(z.boolean(), 'Whether that time is over and you have not answered.', false),
    refused_at: describe(
      Timestamp,
      'When you refused. Absent while the request waits.',
      '2026-11-20T08:00:00.123456Z',
    ).optional(),
  })
  .meta({ id: 'ErasureRequest' })

export type ErasureRequestPage = z.infer<typeof ErasureRequestPage>
export const ErasureRequestPage = z
  .strictObject({
    data: describe(z.array(ErasureRequest), 'The request that is due first comes first.', []),
    next_after: describe(
      z.string(),
      'Give it as `after` for the next page. Absent on the last page.',
      exampleVerificationId,
    ).optional(),
  })
  .meta({ id: 'ErasureRequestPage' })

export type ListErasureRequests = z.infer<typeof ListErasureRequests>
export const ListErasureRequests = z.strictObject({
  state: describe(
    z.enum(['waiting', 'refused']).default('waiting'),
    'Those that wait for you, or those that you have refused.',
    'waiting',
  ),
  limit: describe(
    queryInteger({ min: 1, max: 100, defaultValue: 50 }),
    'How many requests to list at most.',
    50,
  ),
  after: describe(
    VerificationIdParam.optional(),
    'Only requests after the one about this verification.',
    exampleVerificationId,
  ),
})

/** What holders ask to be erased, where the merchant decides. To agree, it erases the verification. */
export const erasureRequestRoutes = {
  listErasureRequests: {
    ...at.listErasureRequests,
    summary: 'List what holders ask to be erased, what is due first',
    may: 'read',
    params: z.object({ environment: EnvironmentName }),
    query: ListErasureRequests,
    success: { status: 200, body: ErasureRequestPage },
  },
  refuseErasureRequest: {
    ...at.refuseErasureRequest,
    summary: 'Refuse to erase what a holder asked for; the verification stays',
    may: 'erase_verifications',
    confirmed: false,
    params: z.object({ environment: EnvironmentName, id: VerificationIdParam }),
    not_found: 'session_not_found',
    success: { status: 200, body: EmptyResponse },
  },
} satisfies Record<string, DashboardRoute>
