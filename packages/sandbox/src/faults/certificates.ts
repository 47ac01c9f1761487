import type { Alterations, PresentationContext } from '../alterations.ts'
import { dateTime, type Cbor } from '../cbor/encode.ts'
import { validityAround, certify, createAuthority } from '../certificates/authority.ts'
import { basicConstraints, extendedKeyUsage, keyUsage, type Extension } from '../certificates/extensions.ts'
import { createIssuer } from '../issuer/create-issuer.ts'
import {
  createSigner,
  findRootName,
  signerDraft,
  type Hierarchy,
  type RootName,
  type Signer,
  type SignerDraft,
} from '../issuer/signer.ts'
import { statusReference } from '../issuer/status-lists.ts'
import { generateSigningKey } from '../keys/signing-key.ts'
import { withMember, withStatusReference } from './alteration-helpers.ts'
import { inBoth, inMdoc, type Fault } from './fault.ts'

const oneHour_days = 1 / 24
const extendedKeyUsageOid = '2.5.29.37'
const emailProtectionOid = '1.3.6.1.5.5.7.3.4'

/** Faults of the issuer's certificates (RFC 5280 §6.1, ISO/IEC 18013-5 annex B). */
export const certificateFaults: readonly Fault[] = [
  {
    name: 'signer_self_signed',
    description: 'the certificate of the signer is signed by itself',
    expect: inBoth('issuer_trust'),
    alterations: { signer: (_, context) => createSelfSignedSigner(validSignerDraft(context)) },
  },
  {
    name: 'signer_other_root',
    description: 'the signer stands below a root that nobody trusts',
    expect: inBoth('issuer_trust'),
    alterations: { signer: (_, { now, credential }) => createIssuer({ now }).signers[credential.document] },
  },
  {
    name: 'signer_same_names',
    description: 'the signer stands below a root that bears the name of the trusted one',
    expect: inBoth('issuer_trust'),
    alterations: {
      signer: ({ chain }, { now, credential }) => {
        const impostor = createIssuer({ now }).signers[credential.document]
        return { key: impostor.key, chain: [...impostor.chain.slice(0, 1), ...chain.slice(1)] }
      },
    },
  },
  {
    name: 'signer_other_documents',
    description: 'the signer stands below a trusted root that vouches for other documents',
    expect: inBoth('issuer_document_type'),
    alterations: {
      signer: (_, context) =>
        createSigner(context.issuer.hierarchies[otherRoot(context)], validSignerDraft(context)),
      // The status list stands below the same root, so that it is not the list that gives the signer away.
      ...withStatusReference((context) => {
        const { idx, uri } = statusReference(context.issuer, context.credential)
        return { idx, uri: uri.replace(findRootName(context.credential.document), otherRoot(context)) }
      }),
    },
  },
  {
    name: 'signer_expired',
    description: 'the certificate of the signer lapsed an hour ago',
    expect: inBoth('issuer_certificate_validity'),
    alterations: withSignerCertificate((draft, { now }) => ({
      ...draft,
      ...validityAround(now, 30, -oneHour_days),
    })),
  },
  {
    name: 'signer_not_yet_valid',
    description: 'the certificate of the signer is valid in an hour',
    expect: inBoth('issuer_certificate_validity'),
    alterations: {
      ...withSignerCertificate((draft, { now }) => ({ ...draft, ...validityAround(now, -oneHour_days, 30) })),
      // A document claims to be signed while its certificate is valid: here in two hours.
      mso: (original, { now }) => withSigningTime(original, new Date(now.getTime() + 7_200_000)),
    },
  },
  {
    name: 'signer_is_authority',
    description: 'the signer is a certification authority',
    expect: inBoth('issuer_certificate_profile'),
    alterations: withSignerCertificate((draft) => withExtension(draft, basicConstraints(true, 0))),
  },
  {
    name: 'signer_key_usage',
    description: 'the key of the signer may sign revocation lists only',
    expect: inBoth('issuer_certificate_profile'),
    alterations: withSignerCertificate((draft) => withExtension(draft, keyUsage('crl_sign'))),
  },
  {
    name: 'signer_unknown_extension',
    description: 'the certificate of the signer has a critical extension that nobody knows',
    expect: inBoth('issuer_certificate_profile'),
    alterations: withSignerCertificate((draft) =>
      withExtension(draft, { oid: '1.3.6.1.4.1.99999.1', critical: true, value: Uint8Array.of(5, 0) }),
    ),
  },
  {
    name: 'signer_below_signer',
    description: 'the certificate of the signer was issued by another signer, who is no authority',
    expect: inBoth('issuer_certificate_profile'),
    alterations: {
      signer: (_, context) => {
        const { root, issuing } = findHierarchy(context)
        const draft = validSignerDraft(context)
        const name = { ...draft.name, common_name: 'Sandbox Other Signer' }
        const key = generateSigningKey(draft.algorithm)
        const certificate = certify(issuing, { ...draft, name, key })
        const { key: leafKey, chain } = createSigner({ root, issuing: { name, key, certificate } }, draft)
        return { key: leafKey, chain: issuing === root ? chain : [...chain, issuing.certificate] }
      },
    },
  },
  {
    name: 'signer_path_length',
    description: 'more authorities stand above the signer than its root allows',
    expect: inBoth('issuer_certificate_profile'),
    alterations: {
      signer: (_, context) => {
        const { root, issuing } = findHierarchy(context)
        const draft = validSignerDraft(context)
        const name = { ...draft.name, common_name: 'Sandbox Authority Too Many' }
        const subordinate = createAuthority(
          { ...validityAround(context.now, 30, 300), name, path_length: 0 },
          issuing,
        )
        const { key, chain } = createSigner({ root, issuing: subordinate }, draft)
        return { key, chain: issuing === root ? chain : [...chain, issuing.certificate] }
      },
    },
  },
  {
    name: 'chain_missing',
    description: 'no certificate is enclosed',
    expect: inBoth('issuer_certificate'),
    alterations: { signer: ({ key }) => ({ key, chain: [] }) },
  },
  {
    name: 'chain_out_of_order',
    description: "the authority's certificate is enclosed before the signer's",
    expect: inBoth('issuer_signature'),
    document: 'pid',
    alterations: { signer: ({ key, chain }) => ({ key, chain: chain.toReversed() }) },
  },
  {
    name: 'chain_foreign',
    description:
      "a certificate that has nothing to do with it is enclosed between the signer's and its authority's",
    expect: inBoth('issuer_certificate'),
    document: 'pid',
    alterations: {
      signer: ({ key, chain }, { issuer }) => ({
        key,
        chain: [...chain.slice(0, 1), ...issuer.signers.mdl.chain, ...chain.slice(1)],
      }),
    },
  },
  {
    name: 'chain_unreadable',
    description: 'what is enclosed as a certificate is none',
    expect: inBoth('issuer_certificate'),
    alterations: { signer: ({ key }) => ({ key, chain: [Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x00)] }) },
  },
  {
    name: 'chain_long',
    description: 'a hundred certificates are enclosed',
    expect: inBoth('credential_encoding', 'issuer_certificate'),
    alterations: {
      signer: ({ key, chain }) => ({ key, chain: Array.from({ length: 100 }, () => chain).flat() }),
    },
  },
  {
    name: 'signer_purpose_missing',
    description: 'the certificate of an mDL signer does not say that it is one',
    expect: inMdoc('issuer_certificate_purpose'),
    document: 'mdl',
    alterations: withSignerCertificate((draft) => withoutExtension(draft, extendedKeyUsageOid)),
  },
  {
    name: 'signer_purpose_not_critical',
    description: 'the certificate of an mDL signer says what it is for, but not bindingly',
    expect: inMdoc('issuer_certificate_purpose'),
    document: 'mdl',
    alterations: withSignerCertificate((draft) =>
      withExtension(draft, extendedKeyUsage('1.0.18013.5.1.2', false)),
    ),
  },
  purposeFault('signer_purpose_tls', 'serving TLS', '1.3.6.1.5.5.7.3.1'),
  purposeFault('signer_purpose_reader', 'reading mobile documents', '1.0.18013.5.1.6'),
  purposeFault('signer_purpose_status', 'signing status lists', '1.3.6.1.5.5.7.3.30'),
  {
    name: 'signer_purpose_other_critical',
    description: 'the certificate of the signer is bound to a purpose that is not that of documents',
    expect: inBoth('issuer_certificate_purpose'),
    document: 'pid',
    alterations: withSignerCertificate((draft) =>
      withExtension(draft, extendedKeyUsage(emailProtectionOid, true)),
    ),
  },
  {
    name: 'signer_other_country',
    description: 'the certificate of an mDL signer names another country than its root',
    expect: inMdoc('issuer_country'),
    document: 'mdl',
    alterations: withSignerCertificate((draft) => ({ ...draft, name: { ...draft.name, country: 'DE' } })),
  },
  {
    name: 'issuing_country',
    description: 'an mDL names another country than the certificate of its signer',
    expect: inMdoc('issuer_country'),
    document: 'mdl',
    alterations: {
      holding: (original) =>
        original.format === 'mso_mdoc'
          ? {
              ...original,
              claims: {
                'org.iso.18013.5.1': { ...original.claims['org.iso.18013.5.1'], issuing_country: 'DE' },
              },
            }
          : original,
      // The element counts only when it is shown.
      disclosed: (original) => [...original, ['org.iso.18013.5.1', 'issuing_country']],
    },
  },
  {
    name: 'signed_before_certificate',
    description: "the document was signed before its signer's certificate was valid",
    expect: inMdoc('signing_time'),
    alterations: {
      mso: (original, { now }) => withSigningTime(original, validityAround(now, 300, 0).not_before),
    },
  },
]

function purposeFault(name: string, purpose: string, oid: string): Fault {
  return {
    name,
    description: `the certificate of the signer is meant for ${purpose}`,
    expect: inBoth('issuer_certificate_purpose'),
    document: 'pid',
    alterations: withSignerCertificate((draft) => withExtension(draft, extendedKeyUsage(oid, false))),
  }
}

function findHierarchy({ issuer, credential }: PresentationContext): Hierarchy {
  return issuer.hierarchies[findRootName(credential.document)]
}

function otherRoot({ credential }: PresentationContext): RootName {
  return findRootName(credential.document) === 'persons' ? 'mobile' : 'persons'
}

function validSignerDraft({ issuer, credential, now }: PresentationContext): SignerDraft {
  return signerDraft(credential.document, issuer.algorithm, now)
}

/** A signer below the right authority whose certificate differs in one thing. */
export function withSignerCertificate(
  change: (draft: SignerDraft, context: PresentationContext) => SignerDraft,
): Pick<Alterations, 'signer'> {
  return {
    signer: (_, context) => createSigner(findHierarchy(context), change(validSignerDraft(context), context)),
  }
}

function createSelfSignedSigner(draft: SignerDraft): Signer {
  const key = generateSigningKey(draft.algorithm)
  const issuer = { name: draft.name, key, certificate: new Uint8Array(0) }
  return { key, chain: [certify(issuer, { ...draft, key })] }
}

export function withExtension(draft: SignerDraft, extension: Extension): SignerDraft {
  const { extensions } = withoutExtension(draft, extension.oid)
  return { ...draft, extensions: [...extensions, extension] }
}

export function withoutExtension(draft: SignerDraft, oid: string): SignerDraft {
  return { ...draft, extensions: draft.extensions.filter((extension) => extension.oid !== oid) }
}

function withSigningTime(mso: Map<Cbor, Cbor>, signed: Date): Map<Cbor, Cbor> {
  return withMember(mso, 'validityInfo', { signed: dateTime(signed) })
}
