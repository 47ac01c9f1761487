import type { PresentationContext } from '../alterations.ts'
import { fullDate, type Cbor } from '../cbor/encode.ts'
import { validityAround } from '../certificates/authority.ts'
import { implicit, sequence } from '../certificates/der.ts'
import { signCertificate } from '../certificates/sign-certificate.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import { unrequestedType } from '../issuer/create-issuer.ts'
import { generateSigningKey } from '../keys/signing-key.ts'
import type { DcqlQuery } from '../wallet/dcql.ts'
import { mapValues, nestedList } from './alteration-helpers.ts'
import { inBoth, inMdoc, type Fault } from './fault.ts'

/** Responses that do not satisfy the query (OpenID4VP 1.0 §6.4, §8.6). */
export const queryFaults: readonly Fault[] = [
  {
    name: 'claim_missing',
    description: 'a requested claim is not disclosed',
    expect: inBoth('requested_claims'),
    alterations: { disclosed: (original) => original.slice(0, -1) },
  },
  {
    name: 'claim_value',
    description: 'a claim has none of the requested values',
    expect: inBoth('claim_values'),
    needs: 'values',
    // A DeviceRequest of annex C cannot name them.
    channels: ['redirect', 'dc_api', 'age_app'],
    alterations: { query: (original) => withoutMember(original, 'values') },
  },
  {
    name: 'authority_other',
    description: 'the issuer is not under any of the requested authorities',
    expect: inBoth('trusted_authority'),
    needs: 'trusted_authorities',
    // A DeviceRequest of annex C cannot name them.
    channels: ['redirect', 'dc_api', 'age_app'],
    alterations: { query: (original) => withoutMember(original, 'trusted_authorities') },
  },
  {
    name: 'authority_enclosed',
    description:
      'the chain includes a certificate of the requested authority, but the signer is not under it',
    expect: inBoth('trusted_authority'),
    needs: 'trusted_authorities',
    // A DeviceRequest of annex C cannot name them.
    channels: ['redirect', 'dc_api', 'age_app'],
    alterations: {
      query: (original) => withoutMember(original, 'trusted_authorities'),
      signer: ({ key, chain }, context) => ({
        key,
        chain: [...chain, forgeCertificateUnder(requestedAuthority(context))],
      }),
    },
  },
  {
    name: 'requirement',
    description: 'the holder is not old enough',
    expect: inBoth('template_requirement'),
    needs: 'template_requirement',
    alterations: { credential: toUnderAge },
  },
  {
    name: 'doctype_mismatch',
    description: 'docType does not match the signed MSO',
    expect: inMdoc('credential_type'),
    expect_on: { annex_c: { outcome: 'failed', check: 'query_id' } },
    alterations: { device_response: replaceDocType },
  },
  {
    name: 'format_other',
    description: 'the document is in the other format',
    channels: ['redirect', 'dc_api', 'age_app'],
    expect: inBoth('credential_format'),
    alterations: {
      credential: toOtherFormat,
      disclosed: (original) => original.map((path) => (path.length === 1 ? [...path, 'value'] : path)),
    },
  },
  {
    name: 'presentations_too_many',
    description: 'there are two presentations for a query that allows one',
    expect: inBoth('presentation_count'),
    alterations: {
      vp_token: (original) =>
        Object.fromEntries(
          Object.entries(original).map(([id, presentations]) => [id, [presentations, presentations].flat()]),
        ),
    },
  },
  {
    name: 'presentations_none',
    description: 'the list of presentations is empty',
    expect: inBoth('vp_token'),
    alterations: { vp_token: (original) => Object.fromEntries(Object.keys(original).map((id) => [id, []])) },
  },
  {
    name: 'presentations_not_listed',
    description: 'the presentation is not in a list',
    expect: inBoth('vp_token'),
    alterations: {
      vp_token: (original) =>
        Object.fromEntries(
          Object.entries(original).map(([id, list]) => [id, Array.isArray(list) ? list[0] : list]),
        ),
    },
  },
  {
    name: 'vp_token_missing',
    description: 'vp_token is missing',
    expect: inBoth('vp_token'),
    expect_on: { age_app: { outcome: 'rejected' } },
    alterations: { parameters: ({ state }) => ({ state }) },
  },
  {
    name: 'vp_token_list',
    description: 'vp_token is a list instead of an object',
    expect: inBoth('vp_token'),
    alterations: { parameters: (original) => ({ ...original, vp_token: [] }) },
  },
  {
    name: 'vp_token_deep',
    description: 'the list of presentations is nested a thousand levels deep',
    expect: inBoth('vp_token'),
    alterations: {
      vp_token: (original) => Object.fromEntries(Object.keys(original).map((id) => [id, nestedList(1000)])),
    },
  },
  {
    name: 'query_id_unknown',
    description: 'a presentation has a query id that is not in the request',
    expect: inBoth('query_id'),
    alterations: { vp_token: (original) => ({ ...original, unasked: Object.values(original)[0] ?? [] }) },
  },
  {
    name: 'query_id_missing',
    description: 'there is no presentation for the query',
    expect: inBoth('credential_sets'),
    alterations: { vp_token: () => ({}) },
  },
]

function withoutMember(query: DcqlQuery, member: 'values' | 'trusted_authorities'): DcqlQuery {
  // A query is JSON, so serialising and parsing it preserves its type.
  return JSON.parse(
    JSON.stringify(query, (name, value: unknown) => (name === member ? undefined : value)),
  ) as DcqlQuery
}

/** The key identifier of the first requested authority. */
function requestedAuthority({ request, query }: PresentationContext): Uint8Array {
  const requestedQuery = request.dcql_query.credentials.find(({ id }) => id === query.id)
  return Buffer.from(requestedQuery?.trusted_authorities?.[0]?.values[0] ?? '', 'base64url')
}

/** A self-signed certificate that claims to be issued by an authority. Anyone can create one. */
function forgeCertificateUnder(authority: Uint8Array): Uint8Array {
  const name = { common_name: 'Sandbox Bystander' }
  const key = generateSigningKey()
  const authorityKeyIdentifier = {
    oid: '2.5.29.35',
    critical: false,
    value: sequence(implicit(0, authority)),
  }
  return signCertificate(
    {
      ...validityAround(new Date(), 1, 1),
      subject: name,
      issuer: name,
      public_key: key.public_key,
      extensions: [authorityKeyIdentifier],
    },
    key,
  )
}

function replaceDocType(response: Map<Cbor, Cbor>): Map<Cbor, Cbor> {
  const documents = response.get('documents')
  const [document] = Array.isArray(documents) ? documents : []
  if (!(document instanceof Map)) return response
  return new Map([
    ...response,
    ['documents', [new Map([...document, ['docType', unrequestedType.mso_mdoc]])]],
  ])
}

/** Keeps the requested type and claims and changes only the format. */
function toOtherFormat({ document, condition, ...credential }: UnsignedCredential): UnsignedCredential {
  const { type } = credential
  if (credential.format === 'mso_mdoc') {
    const claims = mapValues(credential.claims, (elements) =>
      mapValues(elements, (value) => (typeof value === 'string' ? value : true)),
    )
    return { document, condition, format: 'dc+sd-jwt', type, claims }
  }
  // A path of one name becomes a namespace with that name.
  const claims = mapValues(credential.claims, (value) => ({
    value: typeof value === 'string' ? value : true,
  }))
  return { document, condition, format: 'mso_mdoc', type, claims }
}

/** Sets every age threshold to false and the birth date to today. */
function toUnderAge(credential: UnsignedCredential, { now }: PresentationContext): UnsignedCredential {
  const today = now.toISOString().slice(0, 10)
  if (credential.format === 'dc+sd-jwt') {
    const { age_equal_or_over: ages } = credential.claims
    const noneReached = Object.fromEntries(Object.keys(Object(ages)).map((age) => [age, false]))
    const claims = { ...credential.claims, birthdate: today }
    return {
      ...credential,
      claims: ages === undefined ? claims : { ...claims, age_equal_or_over: noneReached },
    }
  }
  const failAgeCheck = (element: string, value: Cbor): Cbor => {
    if (element.startsWith('age_over_')) return false
    return element === 'birth_date' ? fullDate(today) : value
  }
  const claims = Object.entries(credential.claims).map(([namespace, elements]) => [
    namespace,
    Object.fromEntries(Object.entries(elements).map(([name, value]) => [name, failAgeCheck(name, value)])),
  ])
  return { ...credential, claims: Object.fromEntries(claims) }
}
