import { z } from 'zod'
import { FilterVerifications, VerificationSummary } from '../dashboard/verifications.ts'
import { DeliveryEvent, ListDeliveries } from '../dashboard/webhooks.ts'
import { EnvironmentName } from '../dashboard/values.ts'
import { TenantConfig } from '../config.ts'
import { Timestamp } from '../values.ts'
import { CredentialResult, Finding, VerificationIdParam } from '../verifications.ts'
import { Reason } from './sign-in.ts'

export const OfTenant = z.object({ id: z.uuid() })
export const OfEnvironment = OfTenant.extend({ environment: EnvironmentName })
export const OfVerification = OfEnvironment.extend({ verification_id: VerificationIdParam })

/** The tenant reads the reason. */
export const TakeSupportAccess = z.strictObject({ reason: Reason }).meta({ id: 'TakeSupportAccess' })

const Hash = z.string().meta({
  description: 'What the log and the traces call the verification. Whoever knows its id can use it.',
})

export type SupportVerification = z.infer<typeof SupportVerification>
export const SupportVerification = z
  .strictObject({ ...VerificationSummary.omit({ id: true, device_id: true }).shape, hash: Hash })
  .meta({ id: 'SupportVerification' })

export const FilterSupportVerifications = FilterVerifications.pick({
  limit: true,
  before: true,
  after: true,
  status: true,
  template: true,
  error_code: true,
})

export const SupportVerificationPage = z
  .strictObject({ data: z.array(SupportVerification), next_before: Timestamp.optional() })
  .meta({ id: 'SupportVerificationPage' })

/** What failed or warned, by name. Explanations name claims, so they are left out. */
export type SupportVerificationDetail = z.infer<typeof SupportVerificationDetail>
export const SupportVerificationDetail = z
  .strictObject({
    ...SupportVerification.shape,
    credentials: z.array(
      z.strictObject({
        ...CredentialResult.pick({ format: true, doctype_or_vct: true }).shape,
        findings: z.array(Finding.omit({ detail: true })),
      }),
    ),
  })
  .meta({ id: 'SupportVerificationDetail' })

export const FilterSupportDeliveries = ListDeliveries.pick({
  limit: true,
  before: true,
  after: true,
})

export type SupportDelivery = z.infer<typeof SupportDelivery>
export const SupportDelivery = z
  .strictObject({
    ...DeliveryEvent.pick({
      attempt: true,
      attempted_at: true,
      outcome: true,
      status: true,
      duration_ms: true,
      error: true,
      endpoint_id: true,
      event_type: true,
      state: true,
      next_attempt_at: true,
    }).shape,
    hash: Hash,
    /** Of the receiver. The rest of its address may be a secret. */
    host: z.string().optional(),
  })
  .meta({ id: 'SupportDelivery' })

export const SupportDeliveryPage = z
  .strictObject({
    /** Newest first. */
    data: z.array(SupportDelivery),
  })
  .meta({ id: 'SupportDeliveryPage' })

/** The configuration as its members can export it. Of addresses of receivers only the host is left. */
export const SupportConfig = TenantConfig
