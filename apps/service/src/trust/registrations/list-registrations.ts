import type {
  OverviewWarning,
  RegisteredUse,
  Registration,
  RegistrationDetail,
  RegistrationInput,
  RegistrationList,
  TemplateRegistration,
  VerificationDetail,
} from '@vidimus/contract'
import { canonicalize } from '@vidimus/evidence'
import { notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { readClock } from '../../engine/db/index.ts'
import { readVerifierInfo } from '../identity/get-identity.ts'
import { expiryStage } from '../list-expiry-warnings.ts'
import { findFailure } from './check/check-certificate.ts'
import type { RegistrationContents } from './contents.ts'
import { notice_days } from './list-ends.ts'
import { selectRegistration } from './select/select.ts'
import { getRegistrationSettings } from './settings.ts'
import {
  type RegistrationCounts,
  type RegistrationKey,
  type RegistrationRow,
  countStates,
  findByInfo,
  findCertificate,
  findRegistration,
  listRegistrations,
  maxRegistrations,
  readCertificates,
} from './store.ts'

/** A tenant's registrations, the default first, and its settings for them. */
export async function listTenantRegistrations(
  ctx: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<RegistrationList> {
  const [rows, settings] = await Promise.all([
    listRegistrations(ctx.db, tenant_id),
    getRegistrationSettings(ctx, tenant_id),
  ])
  return { data: rows.map(viewRegistration), settings, limit: maxRegistrations }
}

/** A registration with what it says, what its last check found, and how requests carry it. */
export async function getRegistration(
  ctx: Pick<Context, 'db'>,
  key: RegistrationKey,
): Promise<RegistrationDetail> {
  const [row, certificate, { encoding }] = await Promise.all([
    findRegistration(ctx.db, key),
    findCertificate(ctx.db, key),
    getRegistrationSettings(ctx, key.tenant_id),
  ])
  if (row === undefined || certificate === undefined) throw notFound('registration_not_found')
  const { info_base64url, info_jwt, fingerprint, dataset } = certificate
  return {
    ...viewRegistration(row),
    use: viewUse(row.contents),
    findings: row.findings,
    fingerprint: fingerprint.toString('hex'),
    verifier_info: await readVerifierInfo(ctx, encoding === 'jwt' ? info_jwt : info_base64url),
    has_dataset: dataset !== null,
  }
}

export type ExportedRegistration = RegistrationInput & {
  id: string
  name: string
  default: boolean
  fingerprint: string
  /** The keys of the templates that name it. */
  templates: string[]
}

/** A tenant's registrations with their certificates. */
export async function exportRegistrations(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<ExportedRegistration[]> {
  const [rows, certificates] = await Promise.all([
    listRegistrations(db, tenant_id),
    readCertificates(db, tenant_id),
  ])
  const byId = new Map(certificates.map((each) => [each.id, each]))
  return rows.flatMap(({ id, name, is_default, templates }) => {
    const found = byId.get(id)
    // Removed between the two statements.
    if (found === undefined) return []
    const { token, dataset, fingerprint } = found
    return {
      id,
      name,
      default: is_default,
      certificate: token,
      ...(dataset !== null && { dataset: canonicalize(dataset) }),
      fingerprint: fingerprint.toString('hex'),
      templates,
    }
  })
}

/** The end of the year 9999. */
const maxSeconds = 253_402_300_799

/** A registration as lists show it. */
function viewRegistration(row: RegistrationRow): Registration {
  const { contents } = row
  const identifier = contents.identifiers[0]?.identifier
  return {
    id: row.id,
    name: row.name,
    default: row.is_default,
    state: toState(row),
    ...(identifier !== undefined && { identifier }),
    ...(contents.intended_use_id !== undefined && { intended_use: contents.intended_use_id }),
    ...(row.expires_at !== null && { expires_at: row.expires_at }),
    templates: row.templates,
    created_at: row.created_at,
    ...(row.checked_at !== null && { checked_at: row.checked_at }),
  }
}

function toState({ findings }: RegistrationRow): Registration['state'] {
  if (findings.some(({ status }) => status === 'fail')) return 'fail'
  return findings.some(({ status }) => status === 'warning') ? 'warning' : 'ok'
}

/** What a registration certificate says, as pages show it. */
export function viewUse(contents: RegistrationContents): RegisteredUse {
  const { name, legal_name, country, intermediary, intended_use_id, expires_at, issued_at } = contents
  const { registry_uri, privacy_policy, info_uri } = contents
  return {
    identifier: contents.identifiers[0]?.identifier ?? '',
    ...(name !== undefined && { name }),
    ...(legal_name !== undefined && { legal_name }),
    ...(country !== undefined && { country }),
    ...(intermediary !== undefined && { intermediary }),
    ...(intended_use_id !== undefined && { intended_use: intended_use_id }),
    purpose: contents.purpose,
    service: contents.service,
    entitlements: contents.entitlements,
    credentials: contents.credentials,
    ...(registry_uri !== undefined && { registry_uri }),
    ...(privacy_policy !== undefined && { privacy_policy }),
    ...(info_uri !== undefined && { info_uri }),
    issued_at: toTimestamp(issued_at),
    ...(expires_at !== undefined && { expires_at: toTimestamp(expires_at) }),
  }
}

function toTimestamp(seconds: number): string {
  return new Date(Math.min(seconds, maxSeconds) * 1000).toISOString().replace('Z', '000Z')
}

/** Warnings about a tenant's registrations that have ended or soon will, and those that wallets will not accept. */
export async function listRegistrationWarnings(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<OverviewWarning[]> {
  const [now, rows] = await Promise.all([readClock(db), listRegistrations(db, tenant_id)])
  return rows.flatMap((row) => toWarnings(row, Date.parse(now)))
}

function toWarnings({ id, name, expires_at, findings }: RegistrationRow, now_ms: number): OverviewWarning[] {
  const stage = expires_at === null ? undefined : expiryStage(expires_at, now_ms)
  if (expires_at !== null && stage !== undefined)
    return [
      { kind: 'registration_expires', registration_id: id, name, expires_at, expired: stage.days === 0 },
    ]
  const finding = findFailure(findings)
  return finding === undefined ? [] : [{ kind: 'registration_refused', registration_id: id, name, finding }]
}

/** The registration that a template is requested under: the one it names, or the default. */
export async function describeTemplateRegistration(
  { db }: Pick<Context, 'db'>,
  { tenant_id, template }: { tenant_id: string; template: string },
): Promise<TemplateRegistration | undefined> {
  const selected = await selectRegistration({ db }, { tenant_id, template })
  const row = selected && (await findRegistration(db, { tenant_id, id: selected.id }))
  return row && { id: row.id, name: row.name, assigned: row.templates.includes(template) }
}

const certificateHash_bytes = 32

/** The registration that a verification is requested under, by the identity it was created with. Without members if it was removed since. */
export async function nameRegistrationOf(
  { db }: Pick<Context, 'db'>,
  { tenant_id, certificate }: { tenant_id: string; certificate: Buffer },
): Promise<VerificationDetail['registration']> {
  const info = certificate.subarray(certificateHash_bytes)
  return info.length === 0 ? undefined : ((await findByInfo(db, { tenant_id, info })) ?? {})
}

/** How often the registrations are counted for the metrics. It reads all of them, and days matter here, not minutes. */
export const countStatesInterval_ms = 600_000

/** How many registrations of all tenants are in each state. Each is counted once, by the worst. */
export async function countRegistrationStates({ db }: Pick<Context, 'db'>): Promise<RegistrationCounts> {
  return countStates(db, { days: notice_days })
}

/** Updates the metric of the registrations. */
export async function reportRegistrationStates(ctx: Pick<Context, 'db' | 'metrics'>): Promise<void> {
  const counts = await countRegistrationStates(ctx)
  for (const [state, count] of Object.entries(counts)) ctx.metrics.registrations.set({ state }, count)
}
