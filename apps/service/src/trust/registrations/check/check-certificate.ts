import {
  type Environment,
  type RegistrationFinding,
  type RegistrationFindingCode,
  environments,
  registrationFindings,
} from '@vidimus/contract'
import {
  type Anchor,
  type Registration,
  checkRegistrationStatus,
  isBoundTo,
  readCertificateSubject,
  readRegistration,
} from '@vidimus/protocol'
import { erasureAddress, getHolderPage } from '../../../accounts/index.ts'
import { readClock } from '../../../engine/db/index.ts'
import type { TrustContext } from '../../context.ts'
import { getIdentity, getIdentityHash } from '../../identity/get-identity.ts'
import { expiryStage } from '../../list-expiry-warnings.ts'
import { type RegistrationContents, toContents } from '../contents.ts'

type CheckCertificate = {
  tenant_id: string
  token: string
  dataset: Record<string, unknown> | undefined
}

/** `contents` is absent if it could not be read or was altered. */
type CheckedCertificate = { findings: RegistrationFinding[]; contents?: RegistrationContents }

/**
 * Checks a registration certificate as a wallet would: signature, issuer, dates, whether it belongs to the certificate that signs
 * the tenant's requests now, and its status list, which is fetched if there is no current copy. Also the registrar's data set.
 */
export async function checkCertificate(
  ctx: TrustContext,
  { tenant_id, token, dataset }: CheckCertificate,
): Promise<CheckedCertificate> {
  const now = Date.parse(await readClock(ctx.db)) / 1000
  const read = await readUnderAnchors(ctx, { tenant_id, token, now })
  if ('error' in read) return { findings: [toFinding(toReadFailure(read.error), read.error)] }

  const { registration, ...trusted } = read
  const [binding, status, support] = await Promise.all([
    checkBinding(ctx, tenant_id, registration),
    checkStatus(ctx, registration, { tenant_id, now, ...trusted }),
    checkSupport(ctx, tenant_id, registration),
  ])
  return {
    findings: [
      toFinding('signature_valid'),
      describeIssuer(registration),
      ...checkLifetime(registration, now),
      binding,
      status,
      ...checkDataset(registration, dataset),
      ...support,
    ],
    contents: toContents(registration),
  }
}

type ReadCertificate = { registration: Registration; environment: Environment; anchors: readonly Anchor[] }

/** A registration serves both environments, so an authority of either may have issued it. Live ones come first. */
async function readUnderAnchors(
  { trust }: TrustContext,
  { tenant_id, token, now }: { tenant_id: string; token: string; now: number },
): Promise<ReadCertificate | { error: string }> {
  let best: ReadCertificate | undefined
  for (const environment of environments.toReversed()) {
    const { scope } = await trust.scopes.forVerification({ environment, tenant_id })
    // Whom a tenant trusts to issue credentials says nothing about registrations, so the environment's authorities always count.
    const [shared, own] = await Promise.all([trust.snapshot(environment), trust.scopes.anchors(scope)])
    const anchors = [...shared.anchors, ...own].filter(
      ({ role }) => role === 'registration' || role === 'revocation',
    )
    const read = readRegistration(token, { anchors, now })
    if ('error' in read) return read
    const found = { registration: read.value, environment, anchors }
    if (read.value.issuer_trusted) return found
    // "Not among the known issuers" tells more than "could not be compared with any". An unknown issuer chose the URL of the status
    // list, so it is fetched from public addresses only, as in live.
    if (best === undefined || issuerStatus(found.registration) === 'fail')
      best = { ...found, environment: 'live' }
  }
  if (best === undefined) throw new Error('There are no environments.')
  return best
}

function issuerStatus({ findings }: Registration): string | undefined {
  return findings.find(({ check }) => check === 'issuer')?.status
}

function toReadFailure(error: string): 'signature_invalid' | 'format_invalid' {
  return error.includes('signature') ? 'signature_invalid' : 'format_invalid'
}

function describeIssuer(registration: Registration): RegistrationFinding {
  if (registration.issuer_trusted) return toFinding('issuer_trusted')
  return toFinding(issuerStatus(registration) === 'fail' ? 'issuer_untrusted' : 'issuer_unknown')
}

function checkLifetime(
  { findings, issued_at, expires_at }: Registration,
  now: number,
): RegistrationFinding[] {
  const { status: validity } = findings.find(({ check }) => check === 'validity') ?? {}
  if (validity === 'fail') return [toFinding(issued_at > now ? 'lifetime_not_begun' : 'lifetime_ended')]
  if (expires_at === undefined) return [toFinding('lifetime_without_end')]
  const { status: lifetime } = findings.find(({ check }) => check === 'lifetime') ?? {}
  if (lifetime === 'warning') return [toFinding('lifetime_too_long')]
  const stage = expiryStage(new Date(expires_at * 1000).toISOString(), now * 1000)
  return [toFinding(stage === undefined ? 'lifetime_valid' : 'lifetime_ends_soon')]
}

/** ETSI TS 119 475 §5.1.1: the identifiers of both certificates link them. */
async function checkBinding(
  ctx: TrustContext,
  tenant_id: string,
  registration: Registration,
): Promise<RegistrationFinding> {
  const { x5c } = await getIdentity(ctx, await getIdentityHash(ctx, tenant_id))
  const leaf = Buffer.from(x5c[0] ?? '', 'base64')
  if (isBoundTo(registration, leaf)) return toFinding('binding_matches')
  const subject = readCertificateSubject(leaf)
  const identifier =
    'value' in subject ? (subject.value.organization_identifier ?? subject.value.serial_number) : undefined
  if (identifier === undefined) return toFinding('binding_unknown')
  const { intermediary, identifiers } = registration
  const named = intermediary?.identifier ?? identifiers.map((each) => each.identifier).join(', ')
  return toFinding('binding_differs', `it names ${named}, and the access certificate ${identifier}`)
}

type StatusCheck = { tenant_id: string; environment: Environment; anchors: readonly Anchor[]; now: number }

async function checkStatus(
  { trust }: TrustContext,
  registration: Registration,
  { tenant_id, environment, anchors, now }: StatusCheck,
): Promise<RegistrationFinding> {
  const { status_list } = registration
  if (status_list === undefined) return toFinding('status_missing')
  const list = await trust.lookUpStatus({ tenant_id, environment, uri: status_list.uri, now })
  if (list === undefined) return toFinding('status_unavailable')
  const { status, detail } = checkRegistrationStatus(registration, list.token, { anchors, now })
  if (status === 'pass') return toFinding('status_valid')
  return toFinding(status === 'fail' ? 'status_revoked' : 'status_invalid', detail)
}

/**
 * Compares the registrar's data set with the certificate, as far as both name the same (ETSI TS 119 472-2 §6.3.2.2): the identifier of
 * the relying party and the intended use. A wallet that finds different ones could not tell which to believe.
 */
function checkDataset(
  { identifiers, intended_use_id }: Pick<Registration, 'identifiers' | 'intended_use_id'>,
  dataset: Record<string, unknown> | undefined,
): RegistrationFinding[] {
  if (dataset === undefined) return []
  const named = readIdentifiers(dataset['identifier'])
  const known = identifiers.map(({ identifier }) => identifier)
  if (named.length > 0 && !named.some((identifier) => known.includes(identifier)))
    return [toFinding('dataset_differs', 'it names another identifier')]
  const use = dataset['intendedUseIdentifier']
  if (typeof use === 'string' && intended_use_id !== undefined && use !== intended_use_id)
    return [toFinding('dataset_differs', 'it names another intended use')]
  return [toFinding('dataset_matches')]
}

/**
 * A wallet whose holder asks for a deletion opens the first website among the addresses for support (TS7). Says nothing where holders
 * cannot ask here.
 */
async function checkSupport(
  ctx: TrustContext,
  tenant_id: string,
  { support_uris }: Registration,
): Promise<RegistrationFinding[]> {
  const { holder_erasure } = await getHolderPage(ctx, tenant_id)
  if (holder_erasure === 'off') return []
  const [website] = support_uris.flatMap((uri) => {
    const url = URL.parse(uri)
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : []
  })
  const page = new URL(erasureAddress(ctx, { tenant_id }))
  const leadsThere = website?.origin === page.origin && website.pathname === page.pathname
  return [toFinding(leadsThere ? 'support_matches' : 'support_differs', leadsThere ? undefined : page.href)]
}

/** A text, or in the registry's own form (TS5) an object or a list of objects with the member `identifier`. */
function readIdentifiers(value: unknown): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : [value]
  return entries.flatMap((entry) => {
    const text =
      typeof entry === 'object' && entry !== null && 'identifier' in entry ? entry.identifier : entry
    return typeof text === 'string' ? [text] : []
  })
}

const texts: Record<RegistrationFindingCode, string> = {
  format_invalid: 'It is not a registration certificate',
  signature_valid: 'The signature is valid',
  signature_invalid: 'The signature is not valid',
  issuer_trusted: 'A trusted registration authority issued it',
  issuer_unknown: 'No registration authority is trusted, so its issuer was not checked',
  issuer_untrusted: 'No trusted registration authority issued it',
  lifetime_valid: 'It is valid now',
  lifetime_ends_soon: 'It ends within 30 days',
  lifetime_too_long: 'It is valid for more than 12 months, which wallets may not accept',
  lifetime_without_end: 'It does not say when it ends',
  lifetime_not_begun: 'It is not valid yet',
  lifetime_ended: 'It has expired',
  binding_matches: 'It belongs to the access certificate that signs the requests',
  binding_unknown: 'The access certificate has no identifier to compare with',
  binding_differs: 'It does not belong to the access certificate that signs the requests',
  status_valid: 'Its status list says that it is valid',
  status_missing: 'It refers to no status list, which wallets require',
  status_unavailable: 'Its status list could not be fetched',
  status_invalid: 'Its status list cannot be relied on',
  status_revoked: 'It was revoked',
  dataset_matches: 'The data set belongs to it',
  dataset_differs: 'The data set belongs to another registration',
  support_matches: 'Its first website for support is the page for erasures',
  support_differs: 'Its first website for support is not the page for erasures',
}

function toFinding(code: RegistrationFindingCode, detail?: string): RegistrationFinding {
  return { code, status: registrationFindings[code], ...(detail !== undefined && { detail }) }
}

/** A finding in words, without a full stop. */
export function describeFinding({ code, detail }: RegistrationFinding): string {
  return detail === undefined ? texts[code] : `${texts[code]}: ${detail}`
}

export function findFailure(findings: readonly RegistrationFinding[]): RegistrationFinding | undefined {
  return findings.find(({ status }) => status === 'fail')
}
