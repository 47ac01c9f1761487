import { z } from 'zod'
import { Email } from '../dashboard/values.ts'
import { text } from '../text.ts'
import { Count, queryInteger, Timestamp } from '../values.ts'
import { environments } from '../scopes.ts'
import { Reason } from './sign-in.ts'

const tenantStates = ['active', 'suspended', 'closed'] as const
const StateName = z.enum(tenantStates)
const TenantName = text({ min: 1, max: 200 })
const PlanName = text({ min: 1, max: 32 })
const MostAllowed = z.int().min(0).max(999_999_999)

/** What the operator's own systems call the tenant. */
const ExternalId = text({ min: 1, max: 128 })

export type OperatorTenant = z.infer<typeof OperatorTenant>
export const OperatorTenant = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    external_id: z.string().optional(),
    state: StateName,
    plan: z.string(),
    /** Its own, or its plan's. */
    daily_quota: Count,
    /** Creations today, of test and live together, which the quota limits. */
    created_today: Count,
    /** Live verifications of this month in UTC, and how many of them were accepted. */
    live_this_month: z.strictObject({ created: Count, completed: Count }),
    created_at: Timestamp,
    /** When a key was used, a member was seen or a verification was created. */
    last_active_at: Timestamp.optional(),
    /** When it will be deleted for good. */
    deletion_at: Timestamp.optional(),
  })
  .meta({ id: 'OperatorTenant' })

export type ListOperatorTenants = z.infer<typeof ListOperatorTenants>
export const ListOperatorTenants = z.strictObject({
  limit: queryInteger({ min: 1, max: 100, defaultValue: 50 }),
  /** The `next` of the previous page. */
  after: text({ min: 1, max: 400 }).optional(),
  state: StateName.optional(),
  /** A part of the name, whatever its case, or a whole id or external id. */
  q: text({ min: 1, max: 200 }).optional(),
})

export type OperatorTenantList = z.infer<typeof OperatorTenantList>
export const OperatorTenantList = z
  .strictObject({
    /** Ordered by name. */
    data: z.array(OperatorTenant),
    next: z.string().optional(),
    /** Of all tenants, whatever was searched. */
    counts: z.strictObject({ active: Count, suspended: Count, closed: Count }),
  })
  .meta({ id: 'OperatorTenantList' })

/** Why a tenant needs somebody's attention: what operators decide, and what it was itself alerted to. */
const attentionKinds = [
  'sign_up_waits',
  'deletion_planned',
  'suspended',
  'endpoint_disabled',
  'endpoint_failing',
  'webhook_url_failing',
  'certificate_expires',
  'registration_refused',
  'registration_expires',
  'trust_list_stale',
  'quota',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

export type TenantAttention = z.infer<typeof TenantAttention>
export const TenantAttention = z
  .strictObject({
    tenant: z.strictObject({ id: z.uuid(), name: z.string() }),
    kind: z.enum(attentionKinds),
    since: Timestamp,
    /** How many of its endpoints, hosts or registrations. */
    count: z.int().min(1),
  })
  .meta({ id: 'TenantAttention' })

export type TenantAttentionList = z.infer<typeof TenantAttentionList>
export const TenantAttentionList = z
  .strictObject({
    /** The newest first. */
    data: z.array(TenantAttention),
    /** Whether there is more than the list has. */
    more: z.boolean(),
  })
  .meta({ id: 'TenantAttentionList' })

const UsageCounts = z.strictObject({
  created: Count,
  completed: Count,
  failed: Count,
  declined: Count,
  expired: Count,
  pending: Count,
})

export type OperatorTenantDetail = z.infer<typeof OperatorTenantDetail>
export const OperatorTenantDetail = z
  .strictObject({
    ...OperatorTenant.shape,
    /** What its members read. */
    state_reason: z.string().optional(),
    state_changed_at: Timestamp.optional(),
    has_own_quota: z.boolean(),
    limits: z.strictObject({
      devices: Count,
      registrations_a_day: Count,
      members: Count,
      invitations: Count,
      keys: Count,
      templates: Count,
    }),
    usage_today: z.strictObject({ test: UsageCounts, live: UsageCounts }),
    usage_this_month: z.strictObject({ test: UsageCounts, live: UsageCounts }),
    owners: z.array(
      z.strictObject({ name: z.string(), email: z.string(), last_seen_at: Timestamp.optional() }),
    ),
    members: Count,
    usable_keys: Count,
    /** The newest entries of the installation's log about this tenant. Only for roles that may read the log. */
    operations: z
      .array(
        z.strictObject({
          at: Timestamp,
          action: z.string(),
          operator: z.string().optional(),
          reason: z.string().optional(),
          detail: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'OperatorTenantDetail' })

export type CreateOperatorTenant = z.infer<typeof CreateOperatorTenant>
export const CreateOperatorTenant = z
  .strictObject({
    name: TenantName,
    plan: PlanName.optional(),
    daily_quota: MostAllowed.optional(),
    /** A second creation with the same one returns the tenant that exists, without secrets. */
    external_id: ExternalId.optional(),
    /** Who is invited as its owner. */
    owner_email: Email.optional(),
    reason: Reason.optional(),
  })
  .meta({ id: 'CreateOperatorTenant' })

export type CreatedOperatorTenant = z.infer<typeof CreatedOperatorTenant>
export const CreatedOperatorTenant = z
  .strictObject({
    tenant: OperatorTenant,
    /** False if a tenant with this `external_id` existed. Then at most its owner was invited again, while nobody has joined it. */
    created: z.boolean(),
    /** They sign its webhooks. Shown only once. */
    webhook_secrets: z.strictObject({ test: z.string(), live: z.string() }).optional(),
    /** The owner's sign-in link, which works once, and whether it is also sent by mail. */
    invitation: z.strictObject({ email: z.string(), link: z.string(), mailed: z.boolean() }).optional(),
  })
  .meta({ id: 'CreatedOperatorTenant' })

export const InviteOwner = z
  .strictObject({ email: Email, reason: Reason.optional() })
  .meta({ id: 'InviteOwner' })

export type InvitedOwner = z.infer<typeof InvitedOwner>
export const InvitedOwner = z
  .strictObject({ email: z.string(), link: z.string(), mailed: z.boolean() })
  .meta({ id: 'InvitedOwner' })

export const SetTenantPlan = z
  .strictObject({ plan: PlanName, reason: Reason.optional() })
  .meta({ id: 'SetTenantPlan' })

export const SetTenantQuota = z
  .strictObject({
    /** `null` returns to the plan's. */
    daily_quota: MostAllowed.nullable(),
    reason: Reason.optional(),
  })
  .meta({ id: 'SetTenantQuota' })

export const SuspendTenant = z
  .strictObject({
    /** The tenant reads it, on its dashboard and in the response of refused calls. */
    reason: Reason,
    /** Whether verifications that a wallet could still respond to end too. */
    end_open: z.boolean().default(false),
  })
  .meta({ id: 'SuspendTenant' })

export const CloseTenant = z.strictObject({ reason: Reason }).meta({ id: 'CloseTenant' })

export const DeleteTenant = z
  .strictObject({
    /** The tenant's name, to confirm. */
    name: TenantName,
    reason: Reason,
  })
  .meta({ id: 'DeleteTenant' })

export type OperatorPlan = z.infer<typeof OperatorPlan>
export const OperatorPlan = z
  .strictObject({
    name: z.string(),
    by_default: z.boolean(),
    daily_quota: Count,
    devices: Count,
    registrations_a_day: Count,
    members: Count,
    invitations: Count,
    keys: Count,
    templates: Count,
  })
  .meta({ id: 'OperatorPlan' })

export type OperatorPlanList = z.infer<typeof OperatorPlanList>
export const OperatorPlanList = z
  .strictObject({
    /** That of new tenants first. */
    data: z.array(OperatorPlan),
  })
  .meta({ id: 'OperatorPlanList' })

/** Members that are absent stay, or are those of the default plan. */
export const SetPlan = z
  .strictObject({
    by_default: z.literal(true).optional(),
    daily_quota: MostAllowed.optional(),
    devices: MostAllowed.optional(),
    registrations_a_day: MostAllowed.optional(),
    members: MostAllowed.optional(),
    invitations: MostAllowed.optional(),
    keys: MostAllowed.optional(),
    templates: MostAllowed.optional(),
    reason: Reason.optional(),
  })
  .meta({ id: 'SetPlan' })

export type FoundVerification = z.infer<typeof FoundVerification>
export const FoundVerification = z
  .strictObject({
    /** What the log and the traces call it. */
    hash: z.string(),
    tenant: z.strictObject({ id: z.uuid(), name: z.string() }),
    environment: z.enum(environments),
    status: z.string(),
    created_at: Timestamp,
    expires_at: Timestamp,
    responded_at: Timestamp.optional(),
  })
  .meta({ id: 'FoundVerification' })

export const SearchById = z.strictObject({ id: text({ min: 1, max: 200 }) })

export type FoundById = z.infer<typeof FoundById>
export const FoundById = z
  .strictObject({
    /** With this id or external id. */
    tenants: z.array(z.strictObject({ id: z.uuid(), name: z.string(), state: StateName })),
    verification: FoundVerification.optional(),
  })
  .meta({ id: 'FoundById' })
