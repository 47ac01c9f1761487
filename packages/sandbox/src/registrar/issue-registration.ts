import { randomInt } from 'node:crypto'
import { x5c, type Signer } from '../issuer/signer.ts'
import { unixSeconds } from '../issuer/validity-period.ts'
import { signJws, type JsonObject } from '../keys/sign-jws.ts'
import type { ClaimsPath } from '../wallet/dcql.ts'
import { createRegistrar, type Registrar } from './create-registrar.ts'
import { registrationStatus } from './status-list.ts'

/** What a relying party registers for one intended use. */
export type RegistrationDraft = {
  /** The trade name and the legal name. */
  name: string
  legal_name: string
  /** As in the access certificate, such as `NTRUT-12345678`. */
  identifier: string
  /** Who asks on behalf of the relying party, and signs the requests. */
  intermediary?: { identifier: string; name: string }
  purpose?: string
  intended_use_id?: string
  /** Where holders ask for a deletion. */
  support_uris?: readonly string[]
  credentials: readonly RegisteredCredential[]
}

type RegisteredCredential = {
  format: string
  meta: { vct_values?: readonly string[]; doctype_value?: string }
  /** All claims if absent. */
  claims?: readonly ClaimsPath[]
}

/** The version of ETSI TS 119 475 whose members are written. */
type RegistrationVersion = '1.1.1' | '1.2.1'

/** The header, claims and signer of a registration certificate before it is signed. */
type UnsignedRegistration = { header: JsonObject; claims: JsonObject; signer: Signer }

type FaultContext = { registrar: Registrar; now: Date }

const day_seconds = 86_400

/** Faults of a registration certificate, each by the change that makes it. */
export const registrationFaults = {
  wrong_typ: ({ header, ...rest }: UnsignedRegistration) => ({ ...rest, header: { ...header, typ: 'JWT' } }),
  /** Signed with another key than that of the certificate in `x5c`. */
  other_key: ({ signer, ...rest }: UnsignedRegistration, { now }: FaultContext) => ({
    ...rest,
    signer: { ...signer, key: createRegistrar({ now }).seal.key },
  }),
  /** Signed by a registrar that nobody trusts. */
  other_signer: ({ header, ...rest }: UnsignedRegistration, { now }: FaultContext) => {
    const signer = createRegistrar({ now }).seal
    return { ...rest, signer, header: { ...header, x5c: x5c(signer) } }
  },
  expired: ({ claims, ...rest }: UnsignedRegistration, { now }: FaultContext) => ({
    ...rest,
    claims: {
      ...claims,
      iat: unixSeconds(now) - 200 * day_seconds,
      exp: unixSeconds(now) - day_seconds,
    },
  }),
  not_yet_valid: ({ claims, ...rest }: UnsignedRegistration, { now }: FaultContext) => ({
    ...rest,
    claims: { ...claims, iat: unixSeconds(now) + day_seconds, exp: unixSeconds(now) + 30 * day_seconds },
  }),
  too_long: ({ claims, ...rest }: UnsignedRegistration, { now }: FaultContext) => ({
    ...rest,
    claims: { ...claims, exp: unixSeconds(now) + 800 * day_seconds },
  }),
  no_status: ({ claims: { status: _, ...claims }, ...rest }: UnsignedRegistration) => ({ ...rest, claims }),
  not_bound: ({ claims, ...rest }: UnsignedRegistration) => ({
    ...rest,
    claims: { ...claims, sub: 'NTRUT-OTHER' },
  }),
  revoked: ({ claims, ...rest }: UnsignedRegistration, { registrar }: FaultContext) => ({
    ...rest,
    claims: { ...claims, status: registrationStatus(registrar, 'revoked') },
  }),
  suspended: ({ claims, ...rest }: UnsignedRegistration, { registrar }: FaultContext) => ({
    ...rest,
    claims: { ...claims, status: registrationStatus(registrar, 'suspended') },
  }),
  /** Registered for a single claim that hardly any query asks for, so that queries ask for more. */
  over_asking: ({ claims, ...rest }: UnsignedRegistration) => ({
    ...rest,
    claims: {
      ...claims,
      credentials: [
        { format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] }, claim: [{ path: ['nickname'] }] },
      ],
    },
  }),
} satisfies Record<string, (original: UnsignedRegistration, context: FaultContext) => UnsignedRegistration>

export type RegistrationFault = keyof typeof registrationFaults

export type IssueRegistrationOptions = {
  now: Date
  version?: RegistrationVersion
  fault?: RegistrationFault
}

/** Issues a registration certificate (ETSI TS 119 475 §5.2, `rc-wrp+jwt`) as a compact JWT. */
export function issueRegistration(
  registrar: Registrar,
  draft: RegistrationDraft,
  { now, version = '1.2.1', fault }: IssueRegistrationOptions,
): string {
  const { seal } = registrar
  const common = {
    name: draft.name,
    country: 'UT',
    registry_uri: 'https://registrar.invalid/register',
    entitlements: ['https://uri.etsi.org/19475/Entitlement/Service_Provider'],
    policy_id: ['0.4.0.19475.3.1'],
    certificate_policy: 'https://registrar.invalid/policy',
    iat: unixSeconds(now) - day_seconds,
    exp: unixSeconds(now) + 180 * day_seconds,
    status: registrationStatus(registrar, 'valid', randomInt(100)),
    purpose: [{ lang: 'en', value: draft.purpose ?? 'To check the age of customers' }],
    ...(draft.intended_use_id !== undefined && { intended_use_id: draft.intended_use_id }),
  }
  const original = {
    header: { typ: 'rc-wrp+jwt', alg: seal.key.algorithm, x5c: x5c(seal) },
    claims: { ...common, ...(version === '1.1.1' ? olderMembers(draft) : currentMembers(draft)) },
    signer: seal,
  }
  const { header, claims, signer } =
    fault === undefined ? original : registrationFaults[fault](original, { registrar, now })
  return signJws(header, claims, signer.key)
}

/** V1.2.1 §5.2.4. */
function currentMembers({
  identifier,
  legal_name,
  intermediary,
  credentials,
  support_uris = ['https://shop.invalid/support'],
}: RegistrationDraft): JsonObject {
  return {
    sub: identifier,
    sub_ln: legal_name,
    srv_description: [{ lang: 'en', value: 'A shop' }],
    privacy_policy: 'https://shop.invalid/privacy',
    info_uri: 'https://shop.invalid',
    support_uri: support_uris.length === 1 ? support_uris[0] : support_uris,
    supervisory_authority: { email: 'dpa@registrar.invalid', uri: 'https://dpa.invalid' },
    ...(intermediary !== undefined && {
      intermediary: { sub: intermediary.identifier, name: intermediary.name },
    }),
    credentials: credentials.map(({ format, meta, claims }) => ({
      format,
      meta,
      ...(claims !== undefined && { claim: claims.map((path) => ({ path })) }),
    })),
  }
}

/** V1.1.1, as in its published examples: types and single paths are texts. */
function olderMembers({ identifier, legal_name, intermediary, credentials }: RegistrationDraft): JsonObject {
  return {
    sub: {
      legal_name: [legal_name],
      id: [{ type: 'http://data.europa.eu/eudi/id/EUID', identifier }],
    },
    service: [{ lang: 'en', value: 'A shop' }],
    privacy_policy: [
      {
        type: 'http://data.europa.eu/eudi/policy/privacy-policy',
        policyURI: 'https://shop.invalid/privacy',
      },
    ],
    info_uri: ['https://shop.invalid'],
    dpa: { country: 'UT', email: ['dpa@registrar.invalid'], uri: ['https://dpa.invalid'] },
    ...(intermediary !== undefined && {
      act: { sub: { id: intermediary.identifier, name: intermediary.name } },
    }),
    credentials: credentials.map(({ format, meta, claims }) => ({
      format,
      meta: meta.doctype_value ?? meta.vct_values?.[0] ?? '',
      ...(claims !== undefined && {
        claim: claims.map((path) => ({ path: path.length === 1 ? String(path[0]) : path })),
      }),
    })),
  }
}
