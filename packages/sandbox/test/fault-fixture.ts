import type { DocumentName, Format } from '../src/documents/credential.ts'
import { channels, expectOn } from '../src/faults/channels.ts'
import type { Expectation, Fault } from '../src/faults/fault.ts'
import { keyIdentifier } from '../src/certificates/extensions.ts'
import { faults } from '../src/faults/list-faults.ts'
import { createIssuer, type Issuer } from '../src/issuer/create-issuer.ts'
import { findRootName } from '../src/issuer/signer.ts'
import { findPersona } from '../src/personas.ts'
import { buildResponse } from '../src/wallet/build-response.ts'
import { variants, type Variant } from '../src/variants.ts'
import type { Channel } from '../src/wallet/authorization-request.ts'
import type { CredentialQuery, DcqlQuery } from '../src/wallet/dcql.ts'
import type { Wallet } from '../src/wallet/wallet.ts'
import { openChannelVerification } from './channel-verification.ts'
import { openProtocolVerification, type Verdict, type Verifier } from './protocol-verification.ts'

/** A fault on one of its channels, in one of its formats. */
export type FaultCase = {
  title: string
  fault: Fault
  channel: Channel
  format: Format
  expected: Expectation
}

export type VerifyResponse = (verifier?: Verifier) => Promise<Verdict>

/** Every fault on the channel of URLs. */
export const faultCases: readonly FaultCase[] = listCases('redirect')

/** Every fault on the other channels. */
export const channelFaultCases: readonly FaultCase[] = channels
  .filter((channel) => channel !== 'redirect')
  .flatMap(listCases)

function listCases(channel: Channel): FaultCase[] {
  return faults.flatMap((fault) =>
    Object.entries(expectOn(fault, channel)).map(([format, expected]) => ({
      title: `${fault.name}${channel === 'redirect' ? '' : ` over ${channel}`} in ${format}`,
      fault,
      channel,
      // The keys of the expectations are formats.
      format: format as Format,
      expected,
    })),
  )
}

const now = new Date()
const issuer = createIssuer({ now })
const credentials = findPersona('adult')?.credentials(now) ?? []

/** Builds a response with a fault. The result verifies it, with any number of verifiers. */
export function respondWithFault({ fault, ...where }: FaultCase): Promise<VerifyResponse> {
  return respondToQuery(fault, where, { issuer, credentials, alterations: fault.alterations })
}

/** Builds the response of the same wallet without the fault. */
export function respondWithoutFault({ fault, ...where }: FaultCase): Promise<VerifyResponse> {
  return respondToQuery({ ...fault, needs: undefined }, where, { issuer, credentials })
}

/** The failed checks: those of the credentials, and the one in the error message if the response as a whole failed. */
export function failedChecks(verdict: Verdict): string[] {
  if (verdict.kind !== 'outcome') return []
  const { credentials: presented, error } = verdict.outcome
  const findings = presented.flatMap((credential) => credential.findings)
  const named = /failed the check (\w+)/.exec(error?.message ?? '')?.[1]
  return [
    ...findings.filter(({ status }) => status === 'fail').map(({ check }) => check),
    ...(named === undefined ? [] : [named]),
  ]
}

/** A query on which the fault has an effect, and the template rules that it needs. */
export function queryForFault({ fault, channel = 'redirect', format }: QuerySubject) {
  const query = queryFor(chooseDocument(fault, { channel, format }), format, fault.needs)
  return {
    query: { credentials: [query] },
    ...(fault.needs === 'template_requirement' && { rules: requireAdult(query) }),
  }
}

type QuerySubject = { fault: FaultSubject; channel?: Channel; format: Format }

/** A variant in one of its formats. */
export type VariantCase = { title: string; variant: Variant; format: Format }

export const variantCases: readonly VariantCase[] = variants.flatMap((variant) =>
  variant.formats.map((format) => ({ title: `${variant.name} in ${format}`, variant, format })),
)

/** The query that a variant responds to. It names the authority of `from` if the variant needs one. */
export function queryForVariant({ variant, format }: Omit<VariantCase, 'title'>, from: Issuer): DcqlQuery {
  const document = chooseDocument(variant, { channel: 'redirect', format })
  const query = queryFor(document, format, undefined)
  if (variant.requests_authority !== true) return { credentials: [query] }
  const { root } = from.hierarchies[findRootName(document)]
  const aki = Buffer.from(keyIdentifier(root.key.public_key)).toString('base64url')
  return { credentials: [{ ...query, trusted_authorities: [{ type: 'aki', values: [aki] }] }] }
}

/** Builds a response in a variant. */
export async function respondWithVariant({
  variant,
  format,
}: Omit<VariantCase, 'title'>): Promise<VerifyResponse> {
  const verification = openProtocolVerification({
    issuer,
    query: queryForVariant({ variant, format }, issuer),
    now,
  })
  const wallet = { issuer, credentials, alterations: variant.alterations }
  const form = await buildResponse(wallet, verification.request, now)
  return (verifier) => verification.verify(form, verifier)
}

type FaultSubject = Pick<Fault, 'document'> & { needs?: Fault['needs'] | undefined }

async function respondToQuery(
  fault: FaultSubject,
  { channel, format }: { channel: Channel; format: Format },
  wallet: Wallet,
): Promise<VerifyResponse> {
  const { query, rules } = queryForFault({ fault, channel, format })
  const verification = await openChannelVerification(channel, {
    issuer,
    query,
    now,
    ...(rules !== undefined && { template: rules }),
  })
  const form = await buildResponse(wallet, verification.request, now)
  return (verifier) => verification.verify(form, verifier)
}

const mdocTypes: Readonly<Partial<Record<DocumentName, { doctype: string; namespace: string }>>> = {
  mdl: { doctype: 'org.iso.18013.5.1.mDL', namespace: 'org.iso.18013.5.1' },
  pid: { doctype: 'eu.europa.ec.eudi.pid.1', namespace: 'eu.europa.ec.eudi.pid.1' },
  av: { doctype: 'eu.europa.ec.av.1', namespace: 'eu.europa.ec.av.1' },
}

function chooseDocument(
  { document }: FaultSubject,
  { channel, format }: { channel: Channel; format: Format },
): DocumentName {
  if (channel === 'age_app') return 'av'
  return document ?? (format === 'dc+sd-jwt' ? 'pid' : 'mdl')
}

/** A query for one document, with what the fault needs to have an effect. */
function queryFor(document: DocumentName, format: Format, needs: FaultSubject['needs']): CredentialQuery {
  const { doctype, namespace } = mdocTypes[document] ?? { doctype: '', namespace: '' }
  const proofOfAge = document === 'av'
  return {
    id: 'requested',
    format,
    meta: format === 'dc+sd-jwt' ? { vct_values: ['urn:eudi:pid:1'] } : { doctype_value: doctype },
    claims: namesFor(document, format, needs).map((name) => ({
      path: format === 'dc+sd-jwt' ? [name] : [namespace, name],
      ...(needs === 'values' && { values: [proofOfAge ? false : 'Nobody'] }),
    })),
    ...(needs === 'trusted_authorities' && { trusted_authorities: [{ type: 'aki', values: ['AAAA'] }] }),
  }
}

function namesFor(document: DocumentName, format: Format, needs: FaultSubject['needs']): string[] {
  if (document === 'av') return ['age_over_18', 'age_over_21']
  if (needs !== 'template_requirement') return ['given_name', 'family_name']
  return [format === 'dc+sd-jwt' ? 'birthdate' : 'birth_date']
}

/** The age is a claim of the credential, or derived from one. */
function requireAdult({ claims }: CredentialQuery) {
  const path = [...(claims?.[0]?.path ?? [])]
  const must = { age_over_18: { equals: true } }
  if (path.includes('age_over_18'))
    return { claims: { age_over_18: [{ credential: 'requested', path }] }, must }
  return {
    claims: { birth_date: [{ credential: 'requested', path }] },
    derive: { age_over_18: { from: 'birth_date', at_least_years: 18 } },
    must,
  }
}
