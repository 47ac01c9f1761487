import type { DeliveryAttempt, TimelineEntry, Verification, VerificationDetail } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import {
  type MemberPrincipal,
  confirmationCode,
  dayOfVerificationId,
  notFound,
} from '../../engine/basics/index.ts'
import { nameRegistrationOf } from '../../trust/index.ts'
import { readVersion } from '../../templates/index.ts'
import { nameDevices } from '../../devices/index.ts'
import { listDeliveries, maskUrl, viewDelivery } from '../../deliveries/index.ts'
import { findDetail, type DetailRow } from './store.ts'
import { getVerification } from '../read/get-verification.ts'
import { maskCredential } from './show-webhook.ts'

const maxAttempts = 100

/** One verification with its history, and with the names of its claims but not their values. */
export async function describeVerification(
  ctx: Context,
  principal: MemberPrincipal,
  id: string,
): Promise<VerificationDetail> {
  const { tenant_id, environment } = principal
  const verification = await getVerification(ctx, principal, id)
  const day = dayOfVerificationId(id)
  const row = day === undefined ? undefined : await findDetail(ctx.db, { day, id, tenant_id, environment })
  if (row === undefined) throw notFound('session_not_found')
  const deliveries = await listDeliveries(ctx, {
    tenant_id,
    environment,
    verification_id: id,
    limit: maxAttempts,
  })
  const { claims = {}, credentials = [], error, request_uri: _, ...rest } = verification
  const query = row.query ?? (await loadTemplateQuery(ctx, row))
  const registration = await nameRegistrationOf(ctx, { tenant_id, certificate: row.certificate })
  return {
    ...rest,
    ...(rest.redirect_url !== undefined && { redirect_url: maskUrl(rest.redirect_url, principal.role) }),
    ...(error !== undefined && { error, error_code: error.code }),
    ...(row.device_id !== null && { device_id: row.device_id }),
    ...(row.webhook_url !== null && { webhook_url: maskUrl(row.webhook_url, principal.role) }),
    ...(query !== undefined && { query }),
    ...(registration !== undefined && { registration }),
    ...(row.purge_day !== null && row.results > 0 && { purge_day: row.purge_day }),
    claim_names: Object.keys(claims),
    credentials: credentials.map(maskCredential),
    ...(row.link_id !== null &&
      verification.status === 'completed' && { confirmation_code: confirmationCode(id) }),
    ...(row.warnings !== null && { warnings: row.warnings }),
    withheld: row.withheld,
    timeline: buildTimeline(
      verification,
      row,
      deliveries.map((each) => viewDelivery(each, principal.role)),
      await nameDevice(ctx, tenant_id, row),
    ),
    erasable: {
      verification_sessions: 1,
      verification_results: row.results,
      webhook_deliveries: row.deliveries,
    },
  }
}

async function nameDevice(
  ctx: Context,
  tenant_id: string,
  { channel, device_id }: DetailRow,
): Promise<string | undefined> {
  if (channel === null || device_id === null) return undefined
  return (await nameDevices(ctx, tenant_id, [device_id])).get(device_id)
}

async function loadTemplateQuery({ db }: Context, { template_version }: DetailRow) {
  const template = template_version === null ? undefined : await readVersion(db, template_version)
  // A version was validated as a template when it was inserted, and never changes.
  return (template as { query?: Record<string, unknown> } | undefined)?.query
}

function buildTimeline(
  verification: Verification,
  row: DetailRow,
  deliveries: DeliveryAttempt[],
  device: string | undefined,
): TimelineEntry[] {
  const { status, created_at, expires_at, responded_at, error } = verification
  const entries: TimelineEntry[] = [
    { at: created_at, kind: 'created' },
    ...(row.first_fetched_at === null
      ? []
      : [
          {
            at: fetchedAt(row.first_fetched_at, responded_at),
            kind: 'request_fetched',
            count: row.fetches,
          } as const,
        ]),
    ...(row.dc_error_at === null ? [] : [{ at: row.dc_error_at, kind: 'dc_error' } as const]),
    ...(row.unreadable_at === null
      ? []
      : [{ at: row.unreadable_at, kind: 'unreadable', count: row.unreadable_responses } as const]),
    ...describeAttempts(row),
    ...(responded_at === undefined
      ? []
      : [describeResponse(responded_at, { row, detail: error?.code ?? status, device })]),
    ...deliveries.map((delivery): TimelineEntry => ({
      at: delivery.attempted_at,
      kind: 'webhook_attempted',
      count: delivery.attempt,
      detail: delivery.error ?? delivery.outcome,
    })),
    ...(row.redeemed_at === null ? [] : [{ at: row.redeemed_at, kind: 'redeemed' } as const]),
    ...describeComparison(row),
    ...(status === 'expired' ? [describeEnd(expires_at, row)] : []),
  ]
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function describeAttempts({ attempted_at: at, attempts: count, attempt_code }: DetailRow): TimelineEntry[] {
  if (at === null) return []
  return [{ at, kind: 'attempted', count, ...(attempt_code !== null && { detail: attempt_code }) }]
}

function describeComparison({ compared_at: at, same_person }: DetailRow): TimelineEntry[] {
  return at === null ? [] : [{ at, kind: same_person === true ? 'compared_same' : 'compared_other' }]
}

function describeEnd(at: string, { cancelled_by }: DetailRow): TimelineEntry {
  return { at, kind: cancelled_by === null ? 'expired' : `cancelled_by_${cancelled_by}` }
}

/** What a device's own reader presented names the device, on which the session rests. */
function describeResponse(
  at: string,
  { row, detail, device }: { row: DetailRow; detail: string; device: string | undefined },
): TimelineEntry {
  if (row.channel === null) return { at, kind: 'responded', detail }
  return { at, kind: 'presented', detail, ...(device !== undefined && { actor: device }) }
}

/** Fetches are recorded in batches, with a delay, so a response can have an earlier time than the fetch that preceded it. */
function fetchedAt(written_at: string, responded_at: string | undefined): string {
  return responded_at !== undefined && responded_at < written_at ? responded_at : written_at
}
