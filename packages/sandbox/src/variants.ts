import type { Alterations } from './alterations.ts'
import {
  crlDistributionPoint,
  crlDistributionPointsOid,
  extendedKeyUsage,
  extendedKeyUsageOid,
} from './certificates/extensions.ts'
import type { DocumentName, Format } from './documents/credential.ts'
import { withMember, withStatusReference, withValidityPeriod } from './faults/alteration-helpers.ts'
import { withSignerCertificate, withExtension, withoutExtension } from './faults/certificates.ts'
import { withIdentifierReference } from './faults/identifier-lists.ts'
import { signerCrlUri, withResponder } from './faults/revoked-signers.ts'
import type { CrlName } from './issuer/crl-uri.ts'
import { identifierReference } from './issuer/identifier-lists.ts'
import type { OcspName } from './issuer/ocsp.ts'
import { unrequestedType } from './issuer/create-issuer.ts'
import { findRootName } from './issuer/signer.ts'
import { statusReference, type StatusListName } from './issuer/status-lists.ts'
import {
  generateSigningKey,
  toCoseKey,
  toPublicJwk,
  type Algorithm,
  type PublicJwk,
} from './keys/signing-key.ts'
import { referToType, type TypeName } from './issuer/type-metadata.ts'

/** A response that differs from the sandbox's usual one and must be accepted as well. */
export type Variant = {
  readonly name: string
  readonly description: string
  readonly formats: readonly Format[]
  /** The request names the authority of the document's signer. */
  readonly requests_authority?: boolean
  /** The only document that the variant applies to. */
  readonly document?: DocumentName
  readonly alterations: Alterations
}

const bothFormats = ['dc+sd-jwt', 'mso_mdoc'] as const
/** COSE algorithm number (RFC 9053 §2.1). */
const es256 = -7
const documentSigningOid = '1.3.6.1.5.5.7.3.36'

export const variants: readonly Variant[] = [
  {
    name: 'authority_asked',
    description: 'the signer is under the requested authority',
    formats: bothFormats,
    requests_authority: true,
    alterations: {},
  },
  {
    name: 'chain_with_root',
    description: 'the chain includes the root certificate',
    formats: bothFormats,
    requests_authority: true,
    alterations: {
      signer: ({ key, chain }, { issuer, credential }) => ({
        key,
        chain: [...chain, issuer.hierarchies[findRootName(credential.document)].root.certificate],
      }),
    },
  },
  {
    name: 'signer_purpose_seal',
    description: 'the extended key usage of the signer certificate is document signing (RFC 9336)',
    formats: bothFormats,
    document: 'pid',
    alterations: withSignerCertificate((draft) =>
      withExtension(draft, extendedKeyUsage(documentSigningOid, false)),
    ),
  },
  {
    name: 'signer_purpose_none',
    description: 'the signer certificate has no extended key usage',
    formats: bothFormats,
    document: 'pid',
    alterations: withSignerCertificate((draft) => withoutExtension(draft, extendedKeyUsageOid)),
  },
  statusListVariant('status_same_signer', 'same_signer', 'the status list is signed by the document signer'),
  statusListVariant(
    'status_renewed_signer',
    'renewed_signer',
    'the status list is signed by the document signer with a renewed certificate and key',
  ),
  {
    ...statusListVariant('status_cwt_tag', 'cwt_tag', 'the status list has the CWT tag (RFC 8392 §6)'),
    formats: ['mso_mdoc'],
  },
  {
    ...statusListVariant('status_untagged', 'untagged', 'the status list has no CBOR tag (RFC 9052 §2)'),
    formats: ['mso_mdoc'],
  },
  {
    name: 'identifier_list',
    description: 'the document refers to a list of identifiers instead of a status list',
    formats: ['mso_mdoc'],
    alterations: withIdentifierReference(({ issuer, credential }) => identifierReference(issuer, credential)),
  },
  crlVariant('crl_scoped', 'scoped', 'the revocation list of the signer certificate names its place'),
  crlVariant('crl_empty', 'empty', 'the authority has revoked no certificate'),
  {
    name: 'crl_none',
    description: 'the signer certificate names no revocation list',
    formats: bothFormats,
    alterations: withSignerCertificate((draft) => withoutExtension(draft, crlDistributionPointsOid)),
  },
  ocspVariant('ocsp', 'current', 'the signer certificate names a responder of its authority'),
  ocspVariant('ocsp_delegated', 'delegated', 'the responder has a certificate of its own'),
  {
    name: 'type_also_known',
    description: 'the document is of a national type, and aka_vcts names the requested one',
    formats: ['dc+sd-jwt'],
    alterations: {
      issuer_payload: (original, { credential }) => ({
        ...original,
        vct: unrequestedType['dc+sd-jwt'],
        aka_vcts: ['urn:example:another', credential.type],
      }),
    },
  },
  extendedTypeVariant(
    'type_extended',
    'direct',
    'the document is of a national type that extends the requested one',
  ),
  extendedTypeVariant('type_extended_twice', 'twice', 'the same over one more type'),
  {
    name: 'clock_ahead',
    description: "the document expired 30 seconds ago by the verifier's clock",
    formats: bothFormats,
    alterations: withValidityPeriod({ until: -30 }),
  },
  {
    name: 'clock_behind',
    description: "the document becomes valid in 30 seconds by the verifier's clock",
    formats: bothFormats,
    alterations: withValidityPeriod({ from: 30 }),
  },
  brainpoolVariant('ESB256'),
  brainpoolVariant('ESB320'),
  brainpoolVariant('ESB384'),
  brainpoolVariant('ESB512'),
  {
    name: 'brainpool_es256',
    description:
      'the keys are on brainpoolP256r1, and the algorithm is the one of RFC 9053, which names no curve',
    formats: ['mso_mdoc'],
    alterations: {
      ...withAlgorithm('ESB256'),
      issuer_cose: (original) => ({
        ...original,
        protected_header: new Map([...original.protected_header, [1, es256]]),
      }),
      device_cose: (original) => ({ ...original, protected_header: new Map([[1, es256]]) }),
    },
  },
  {
    name: 'brainpool_curve_name',
    description: "the holder's JWK has the own name of its curve, brainpoolP256r1",
    formats: ['dc+sd-jwt'],
    alterations: withAlgorithm('ESB256', { crv: 'brainpoolP256r1' }),
  },
  {
    name: 'state_missing',
    description: 'the encrypted response has no state',
    formats: bothFormats,
    alterations: { parameters: ({ vp_token }) => ({ vp_token }) },
  },
]

function crlVariant(name: string, list: CrlName, description: string): Variant {
  return {
    name,
    description,
    formats: bothFormats,
    alterations: withSignerCertificate((draft, context) =>
      withExtension(draft, crlDistributionPoint(signerCrlUri(context, list))),
    ),
  }
}

function ocspVariant(name: string, responder: OcspName, description: string): Variant {
  return {
    name,
    description,
    formats: bothFormats,
    alterations: withSignerCertificate((draft, context) => withResponder(draft, context, responder)),
  }
}

function extendedTypeVariant(name: string, type: TypeName, description: string): Variant {
  return {
    name,
    description,
    formats: ['dc+sd-jwt'],
    alterations: {
      issuer_payload: (original, { issuer, credential }) => ({
        ...original,
        ...referToType(issuer, type, credential.type),
      }),
    },
  }
}

function statusListVariant(name: string, list: StatusListName, description: string): Variant {
  return {
    name,
    description,
    formats: bothFormats,
    alterations: withStatusReference(({ issuer, credential }) => statusReference(issuer, credential, list)),
  }
}

function brainpoolVariant(algorithm: Algorithm): Variant {
  return {
    name: `brainpool_${algorithm.toLowerCase()}`,
    description: `the keys of signer and holder are on the Brainpool curve of ${algorithm}`,
    formats: bothFormats,
    alterations: withAlgorithm(algorithm),
  }
}

/** Signer and holder with keys of an algorithm. */
function withAlgorithm(algorithm: Algorithm, jwkMembers: Partial<PublicJwk> = {}): Alterations {
  const key = generateSigningKey(algorithm)
  return {
    ...withSignerCertificate((draft) => ({ ...draft, algorithm })),
    proof_key: () => key,
    issuer_payload: (original) => ({ ...original, cnf: { jwk: { ...toPublicJwk(key), ...jwkMembers } } }),
    mso: (original) => withMember(original, 'deviceKeyInfo', { deviceKey: toCoseKey(key) }),
  }
}
