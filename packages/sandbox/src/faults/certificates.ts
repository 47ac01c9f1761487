import type { Alterations, PresentationContext } from '../alterations.ts'
import { dateTime, type Cbor } from '../cbor/encode.ts'
import { validityAround, certify, createAuthority } from '../certificates/authority.ts'
import {
  basicConstraints,
  extendedKeyUsage,
  extendedKeyUsageOid,
  keyUsage,
  type Extension,
} from '../certificates/extensions.ts'
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
const emailProtectionOid = '1.3.6.1.5.5.7.3.4'

/** Faults of the issuer's certificates (RFC 5280 §6.1, ISO/IEC 18013-5 annex B). */
export const certificateFaults: readonly Fault[] = [
  {
    name: 'signer_self_signed',
    description: 'the signer certificate is self-signed',
    expect: inBoth('issuer_trust'),
    alterations: { signer: (_, context) => createSelfSignedSigner(validSignerDraft(context)) },
  },
  {
    name: 'signer_other_root',
    description: 'the signer certificate chains to an untrusted root',
    expect: inBoth('issuer_trust'),
    alterations: { signer: (_, { now, credential }) => createIssuer({ now }).signers[credential.document] },
  },
  {
    name: 'signer_same_names',
    description: 'the signer certificate chains to an untrusted root with the same name as the trusted one',
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
    description: 'the signer certificate chains to a root that is trusted for other document types only',
    expect: inBoth('issuer_document_type'),
    alterations: {
      signer: (_, context) =>
        createSigner(context.issuer.hierarchies[otherRoot(context)], validSignerDraft(context)),
      // The status list is signed under the same root, so that it cannot be the status list that fails.
      ...withStatusReference((context) => {
        const { idx, uri } = statusReference(context.issuer, context.credential)
        return { idx, uri: uri.replace(findRootName(context.credential.document), otherRoot(context)) }
      }),
    },
  },
  {
    name: 'signer_expired',
    description: 'the signer certificate expired an hour ago',
    expect: inBoth('issuer_certificate_validity'),
    alterations: withSignerCertificate((draft, { now }) => ({
      ...draft,
      ...validityAround(now, 30, -oneHour_days),
    })),
  },
  {
    name: 'signer_not_yet_valid',
    description: 'the signer certificate becomes valid in an hour',
    expect: inBoth('issuer_certificate_validity'),
    alterations: {
      ...withSignerCertificate((draft, { now }) => ({ ...draft, ...validityAround(now, -oneHour_days, 30) })),
      // The signing time must lie within the certificate's validity: here, two hours from now.
      mso: (original, { now }) => withSigningTime(original, new Date(now.getTime() + 7_200_000)),
    },
  },
  {
    name: 'signer_is_authority',
    description: 'the signer certificate is a CA certificate',
    expect: inBoth('issuer_certificate_profile'),
    alterations: withSignerCertificate((draft) => withExtension(draft, basicConstraints(true, 0))),
  },
  {
    name: 'signer_key_usage',
    description: 'the key usage of the signer certificate allows CRL signing only',
    expect: inBoth('issuer_certificate_profile'),
    alterations: withSignerCertificate((draft) => withExtension(draft, keyUsage('crl_sign'))),
  },
  {
    name: 'signer_unknown_extension',
    description: 'the signer certificate has an unknown critical extension',
    expect: inBoth('issuer_certificate_profile'),
    alterations: withSignerCertificate((draft) =>
      withExtension(draft, { oid: '1.3.6.1.4.1.99999.1', critical: true, value: Uint8Array.of(5, 0) }),
    ),
  },
  {
    name: 'signer_below_signer',
    description: 'the signer certificate was issued by another signer, which is not a CA',
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
    description: 'the chain is longer than the path length that the root allows',
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
    description: 'the certificate chain is missing',
    expect: inBoth('issuer_certificate'),
    alterations: { signer: ({ key }) => ({ key, chain: [] }) },
  },
  {
    name: 'chain_out_of_order',
    description: 'the CA certificate precedes the signer certificate in the chain',
    expect: inBoth('issuer_signature'),
    document: 'pid',
    alterations: { signer: ({ key, chain }) => ({ key, chain: chain.toReversed() }) },
  },
  {
    name: 'chain_foreign',
    description: 'an unrelated certificate is between the signer certificate and its CA',
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
    description: 'the certificate cannot be parsed',
    expect: inBoth('issuer_certificate'),
    alterations: { signer: ({ key }) => ({ key, chain: [Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x00)] }) },
  },
  {
    name: 'chain_long',
    description: 'the chain has a hundred certificates',
    expect: inBoth('credential_encoding', 'issuer_certificate'),
    alterations: {
      signer: ({ key, chain }) => ({ key, chain: Array.from({ length: 100 }, () => chain).flat() }),
    },
  },
  {
    name: 'signer_purpose_missing',
    description: 'the certificate of an mDL signer has no extended key usage',
    expect: inMdoc('issuer_certificate_purpose'),
    document: 'mdl',
    alterations: withSignerCertificate((draft) => withoutExtension(draft, extendedKeyUsageOid)),
  },
  {
    name: 'signer_purpose_not_critical',
    description: 'the extended key usage of an mDL signer certificate is not critical',
    expect: inMdoc('issuer_certificate_purpose'),
    document: 'mdl',
    alterations: withSignerCertificate((draft) =>
      withExtension(draft, extendedKeyUsage('1.0.18013.5.1.2', false)),
    ),
  },
  purposeFault('signer_purpose_tls', 'TLS servers', '1.3.6.1.5.5.7.3.1'),
  purposeFault('signer_purpose_reader', 'mdoc readers', '1.0.18013.5.1.6'),
  purposeFault('signer_purpose_status', 'status list signers', '1.3.6.1.5.5.7.3.30'),
  {
    name: 'signer_purpose_other_critical',
    description: 'a critical extended key usage limits the signer certificate to another purpose',
    expect: inBoth('issuer_certificate_purpose'),
    document: 'pid',
    alterations: withSignerCertificate((draft) =>
      withExtension(draft, extendedKeyUsage(emailProtectionOid, true)),
    ),
  },
  {
    name: 'signer_other_country',
    description: 'the certificate of an mDL signer names a different country from its root',
    expect: inMdoc('issuer_country'),
    document: 'mdl',
    alterations: withSignerCertificate((draft) => ({ ...draft, name: { ...draft.name, country: 'DE' } })),
  },
  {
    name: 'issuing_country',
    description: 'an mDL names a different country from its signer certificate',
    expect: inMdoc('issuer_country'),
    document: 'mdl',
    alterations: {
      credential: (original) =>
        original.format === 'mso_mdoc'
          ? {
              ...original,
              claims: {
                'org.iso.18013.5.1': { ...original.claims['org.iso.18013.5.1'], issuing_country: 'DE' },
              },
            }
          : original,
      // The verifier compares the element only if it is disclosed.
      disclosed: (original) => [...original, ['org.iso.18013.5.1', 'issuing_country']],
    },
  },
  {
    name: 'signed_before_certificate',
    description: 'the document was signed before the signer certificate became valid',
    expect: inMdoc('signing_time'),
    alterations: {
      mso: (original, { now }) => withSigningTime(original, validityAround(now, 300, 0).not_before),
    },
  },
]

function purposeFault(name: string, purpose: string, oid: string): Fault {
  return {
    name,
    description: `the extended key usage of the signer certificate is for ${purpose}`,
    expect: inBoth('issuer_certificate_purpose'),
    document: 'pid',
    alterations: withSignerCertificate((draft) => withExtension(draft, extendedKeyUsage(oid, false))),
  }
}

export function findHierarchy({ issuer, credential }: PresentationContext): Hierarchy {
  return issuer.hierarchies[findRootName(credential.document)]
}

function otherRoot({ credential }: PresentationContext): RootName {
  return findRootName(credential.document) === 'persons' ? 'mobile' : 'persons'
}

export function validSignerDraft({ issuer, credential, now }: PresentationContext): SignerDraft {
  return signerDraft(credential.document, issuer, now)
}

/** A signer under the correct authority, with one change in its certificate. */
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
