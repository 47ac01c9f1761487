import { catchInputError, type ReadResult } from '../input-error.ts'
import { readCertificate, readRawExtensions, type Certificate } from '../x509/read-certificate.ts'
import { derTags, readChildren, readDer, readOid } from '../x509/read-der.ts'
import type { RawExtension } from '../x509/read-extensions.ts'
import {
  hashRelyingPartyMetadata,
  readRelyingPartyMetadata,
  relyingPartyMetadataOid,
} from './relying-party-metadata.ts'

/** Whose wallets an identity is for: those of the EU, Apple's, Google's, or others that read ISO/IEC 18013-5 requests. */
export type Ecosystem = 'eu' | 'apple' | 'google' | 'iso'

export type CheckedIdentity = {
  ecosystem: Ecosystem
  /** DER, the leaf first. */
  certificates: readonly Uint8Array[]
  /** Google's RelyingPartyMetadataBytes. */
  metadata?: Uint8Array | undefined
  /** The hosts of the pages that ask. */
  hosts?: readonly string[]
  /** Seconds since 1970. */
  now: number
}

/** A published rule that an identity does not satisfy. `refused`: wallets are known to refuse it. */
export type IdentityFinding = { severity: 'refused' | 'warning'; message: string }

/**
 * What the published rules of an ecosystem say against an identity: ETSI TS 119 411-8 as the EU's libraries read it, Apple's and
 * Google's instructions for verifiers, and ISO/IEC 18013-5 annex B. Empty if nothing does.
 */
export function checkIdentity(identity: CheckedIdentity): IdentityFinding[] {
  const [der = new Uint8Array()] = identity.certificates
  const examined = examine(der)
  if ('error' in examined) return [{ severity: 'refused', message: `${examined.error}.` }]
  return rules
    .filter(({ of }) => of === 'all' || of.includes(identity.ecosystem))
    .filter(({ holds }) => !holds(examined.value, identity))
    .map(({ severity, message }) => ({ severity, message }))
}

type ExaminedLeaf = {
  leaf: Certificate
  extensions: RawExtension[]
  /** Identifiers of the kinds of subject alternative names: 1 e-mail, 2 DNS, 6 URI. */
  names: number[]
  access_methods: string[]
  policies: string[]
}

const oids = {
  key_usage: '2.5.29.15',
  subject_alternative_name: '2.5.29.17',
  basic_constraints: '2.5.29.19',
  certificate_policies: '2.5.29.32',
  authority_information: '1.3.6.1.5.5.7.1.1',
  ocsp: '1.3.6.1.5.5.7.48.1',
  mdoc_reader: '1.0.18013.5.1.6',
} as const

/** ETSI TS 119 411-8: natural and legal persons, normalised and qualified. */
const accessPolicies = ['0.4.0.194118.1.1', '0.4.0.194118.1.2', '0.4.0.194118.1.3', '0.4.0.194118.1.4']
const day_seconds = 86_400
const renewalPeriod_days = 30
const maxAppleLifetime_days = 397

function examine(der: Uint8Array): ReadResult<ExaminedLeaf> {
  const leaf = readCertificate(der)
  if ('error' in leaf) return leaf
  return catchInputError(() => {
    const extensions = readRawExtensions(der)
    const members = (oid: string) => {
      const value = extensions.find((each) => each.oid === oid)?.value
      return value === undefined ? [] : readChildren(readDer(value, derTags.sequence))
    }
    const firstOids = (oid: string) =>
      members(oid).flatMap((each) => readChildren(each).slice(0, 1).map(readOid))
    return {
      leaf: leaf.value,
      extensions,
      names: members(oids.subject_alternative_name).map(({ tag }) => tag & 0x1f),
      access_methods: firstOids(oids.authority_information),
      policies: firstOids(oids.certificate_policies),
    }
  })
}

type Rule = IdentityFinding & {
  of: 'all' | readonly Ecosystem[]
  holds: (examined: ExaminedLeaf, identity: CheckedIdentity) => boolean
}

const rules: readonly Rule[] = [
  {
    of: 'all',
    severity: 'refused',
    message: 'It is not valid now.',
    holds: ({ leaf }, { now }) => leaf.valid_from <= now && now <= leaf.valid_until,
  },
  {
    of: 'all',
    severity: 'warning',
    message: `It ends within ${renewalPeriod_days} days. Renew it.`,
    holds: ({ leaf }, { now }) =>
      leaf.valid_until < now || leaf.valid_until - now > renewalPeriod_days * day_seconds,
  },
  {
    of: 'all',
    severity: 'refused',
    message: 'It is the certificate of an authority. Use a certificate that the authority issued.',
    holds: ({ leaf }) => !leaf.extensions.authority,
  },
  {
    of: ['eu', 'google', 'iso'],
    severity: 'refused',
    message: 'Its key usage is not digital signature.',
    holds: ({ leaf }) => leaf.extensions.usage?.digital_signature === true,
  },
  {
    of: ['eu'],
    severity: 'refused',
    message: 'An extension other than basic constraints and key usage is critical.',
    holds: ({ extensions }) =>
      extensions.every(
        ({ oid, critical }) => !critical || oid === oids.basic_constraints || oid === oids.key_usage,
      ),
  },
  {
    of: ['eu', 'iso'],
    severity: 'refused',
    message: 'It has no authority key identifier.',
    holds: ({ leaf }) => leaf.extensions.authority_key_id !== undefined,
  },
  {
    of: ['eu'],
    severity: 'refused',
    message: 'It has no authority information access.',
    holds: ({ access_methods }) => access_methods.length > 0,
  },
  {
    of: ['eu', 'iso'],
    severity: 'refused',
    message: 'It names neither a revocation list nor an OCSP responder.',
    holds: ({ leaf, access_methods }) =>
      leaf.extensions.crl_uris !== undefined || access_methods.includes(oids.ocsp),
  },
  {
    of: ['eu'],
    severity: 'refused',
    message: `It has none of the policies of access certificates (${accessPolicies.join(', ')}).`,
    holds: ({ policies }) => policies.some((policy) => accessPolicies.includes(policy)),
  },
  {
    of: ['eu'],
    severity: 'refused',
    message: 'Its subject alternative name has neither a URI nor an e-mail address.',
    holds: ({ names }) => names.includes(6) || names.includes(1),
  },
  {
    of: ['eu'],
    severity: 'refused',
    message: 'Its subject lacks the country or the common name.',
    holds: ({ leaf: { subject } }) => subject.country !== undefined && subject.common_name !== undefined,
  },
  {
    of: ['eu'],
    severity: 'warning',
    message: 'Its subject has no organisation with its identifier. A legal person needs both.',
    holds: ({ leaf: { subject } }) =>
      subject.organization !== undefined && subject.organization_identifier !== undefined,
  },
  {
    of: ['eu'],
    severity: 'warning',
    message: `Its extended key usage is not that of an mdoc reader (${oids.mdoc_reader}), which wallets on Android have demanded.`,
    holds: namesReader,
  },
  {
    of: ['iso'],
    severity: 'refused',
    message: `Its extended key usage is not that of an mdoc reader (${oids.mdoc_reader}).`,
    holds: namesReader,
  },
  {
    of: ['apple'],
    severity: 'refused',
    message: 'Its common name is not a domain. Apple issues a certificate for one domain.',
    holds: ({ leaf: { subject } }) => /^([a-z0-9-]+\.)+[a-z]{2,}$/i.test(subject.common_name ?? ''),
  },
  {
    of: ['apple'],
    severity: 'warning',
    message: 'Its domain is that of none of the pages that ask.',
    holds: ({ leaf: { subject } }, { hosts = [] }) =>
      hosts.length === 0 || hosts.some((host) => host === subject.common_name?.toLowerCase()),
  },
  {
    of: ['apple'],
    severity: 'warning',
    message: `It is valid for more than ${maxAppleLifetime_days} days, so Apple has not issued it.`,
    holds: ({ leaf }) => leaf.valid_until - leaf.valid_from <= maxAppleLifetime_days * day_seconds,
  },
  {
    of: ['google'],
    severity: 'refused',
    message: 'Google’s metadata about the relying party is missing or cannot be read.',
    holds: (_, { metadata }) => metadata !== undefined && 'value' in readRelyingPartyMetadata(metadata),
  },
  {
    of: ['google'],
    severity: 'refused',
    message: `Its extension ${relyingPartyMetadataOid} is missing, critical, or not the hash of the metadata.`,
    holds: ({ extensions }, { metadata }) => {
      const extension = extensions.find(({ oid }) => oid === relyingPartyMetadataOid)
      if (extension === undefined || extension.critical || metadata === undefined) return false
      const hash = catchInputError(() => readDer(extension.value, derTags.octetString).content)
      return 'value' in hash && hash.value.equals(hashRelyingPartyMetadata(metadata))
    },
  },
]

function namesReader({ leaf }: ExaminedLeaf): boolean {
  return leaf.extensions.purposes?.oids.includes(oids.mdoc_reader) === true
}
