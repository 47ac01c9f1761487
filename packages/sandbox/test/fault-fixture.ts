import type { DocumentName, Format } from '../src/documents/credential.ts'
import type { Expectation, Fault } from '../src/faults/fault.ts'
import { keyIdentifier } from '../src/certificates/extensions.ts'
import { faults } from '../src/faults/list-faults.ts'
import { createIssuer, type Issuer } from '../src/issuer/create-issuer.ts'
import { findRootName } from '../src/issuer/signer.ts'
import { findPersona } from '../src/personas.ts'
import { buildResponse, type Wallet } from '../src/wallet/build-response.ts'
import { variants, type Variant } from '../src/variants.ts'
import type { CredentialQuery, DcqlQuery } from '../src/wallet/dcql.ts'
import { openProtocolSession, type Verdict, type Verifier } from './protocol-session.ts'

/** A fault in one of its formats. */
export type FaultCase = { title: string; fault: Fault; format: Format; expected: Expectation }

export type VerifyResponse = (verifier?: Verifier) => Promise<Verdict>

export const faultCases: readonly FaultCase[] = faults.flatMap((fault) =>
  Object.entries(fault.expect).map(([format, expected]) => ({
    title: `${fault.name} in ${format}`,
    fault,
    // The keys of `expect` are formats.
    format: format as Format,
    expected,
  })),
)

const now = new Date()
const issuer = createIssuer({ now })
const credentials = findPersona('adult')?.credentials(now) ?? []

/** Builds a response with a fault. The result verifies it, with any number of verifiers. */
export function respondWithFault({ fault, format }: FaultCase): Promise<VerifyResponse> {
  return respondToQuery(fault, format, { issuer, credentials, alterations: fault.alterations })
}

/** Builds the response of the same wallet without the fault. */
export function respondWithoutFault({ fault, format }: FaultCase): Promise<VerifyResponse> {
  return respondToQuery({ ...fault, needs: undefined }, format, { issuer, credentials })
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
export function queryForFault({ fault, format }: Pick<FaultCase, 'fault' | 'format'>) {
  const query = queryFor(chooseDocument(fault, format), format, fault.needs)
  return {
    query: { credentials: [query] },
    ...(fault.needs === 'template_requirement' && { rules: requireAdult(query) }),
  }
}

/** A variant in one of its formats. */
export type VariantCase = { title: string; variant: Variant; format: Format }

export const variantCases: readonly VariantCase[] = variants.flatMap((variant) =>
  variant.formats.map((format) => ({ title: `${variant.name} in ${format}`, variant, format })),
)

/** The query that a variant responds to. It names the authority of `from` if the variant needs one. */
export function queryForVariant({ variant, format }: Omit<VariantCase, 'title'>, from: Issuer): DcqlQuery {
  const document = chooseDocument(variant, format)
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
  const session = openProtocolSession({ issuer, query: queryForVariant({ variant, format }, issuer), now })
  const wallet = { issuer, credentials, alterations: variant.alterations }
  const form = await buildResponse(wallet, session.request, now)
  return (verifier) => session.verify(form, verifier)
}

type FaultSubject = Pick<Fault, 'document'> & { needs?: Fault['needs'] | undefined }

async function respondToQuery(
  subject: FaultSubject,
  format: Format,
  wallet: Wallet,
): Promise<VerifyResponse> {
  const query = queryFor(chooseDocument(subject, format), format, subject.needs)
  const session = openProtocolSession({
    issuer,
    query: { credentials: [query] },
    now,
    ...(subject.needs === 'template_requirement' && { template: requireAdult(query) }),
  })
  const form = await buildResponse(wallet, session.request, now)
  return (verifier) => session.verify(form, verifier)
}

const drivingLicence = { doctype: 'org.iso.18013.5.1.mDL', namespace: 'org.iso.18013.5.1' }
const personIdentification = { doctype: 'eu.europa.ec.eudi.pid.1', namespace: 'eu.europa.ec.eudi.pid.1' }

function chooseDocument({ document }: FaultSubject, format: Format): DocumentName {
  return document ?? (format === 'dc+sd-jwt' ? 'pid' : 'mdl')
}

/** A query for one document, with what the fault needs to have an effect. */
function queryFor(document: DocumentName, format: Format, needs: FaultSubject['needs']): CredentialQuery {
  const { doctype, namespace } = document === 'mdl' ? drivingLicence : personIdentification
  const birthDate = format === 'dc+sd-jwt' ? 'birthdate' : 'birth_date'
  const names = needs === 'template_requirement' ? [birthDate] : ['given_name', 'family_name']
  return {
    id: 'requested',
    format,
    meta: format === 'dc+sd-jwt' ? { vct_values: ['urn:eudi:pid:1'] } : { doctype_value: doctype },
    claims: names.map((name) => ({
      path: format === 'dc+sd-jwt' ? [name] : [namespace, name],
      ...(needs === 'values' && { values: ['Nobody'] }),
    })),
    ...(needs === 'trusted_authorities' && { trusted_authorities: [{ type: 'aki', values: ['AAAA'] }] }),
  }
}

function requireAdult({ claims }: CredentialQuery) {
  return {
    claims: { birth_date: [{ credential: 'requested', path: [...(claims?.[0]?.path ?? [])] }] },
    derive: { age_over_18: { from: 'birth_date', at_least_years: 18 } },
    must: { age_over_18: { equals: true } },
  }
}
