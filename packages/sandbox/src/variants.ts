import type { Alterations } from './alterations.ts'
import { extendedKeyUsage } from './certificates/extensions.ts'
import type { DocumentName, Format } from './documents/credential.ts'
import { withStatusReference, withValidityPeriod } from './faults/alteration-helpers.ts'
import { withSignerCertificate, withExtension, withoutExtension } from './faults/certificates.ts'
import { unrequestedType } from './issuer/create-issuer.ts'
import { findRootName } from './issuer/signer.ts'
import { statusReference, type StatusListName } from './issuer/status-lists.ts'

/** An answer that differs from the sandbox's usual one, and that a verifier must accept as well. */
export type Variant = {
  readonly name: string
  readonly description: string
  readonly formats: readonly Format[]
  /** The request asks for the authority that the document's signer stands under. */
  readonly requests_authority?: boolean
  /** The only document that it can be made with. */
  readonly document?: DocumentName
  readonly alterations: Alterations
}

const bothFormats = ['dc+sd-jwt', 'mso_mdoc'] as const
const extendedKeyUsageOid = '2.5.29.37'
const documentSigningOid = '1.3.6.1.5.5.7.3.36'

export const variants: readonly Variant[] = [
  {
    name: 'authority_asked',
    description: 'the signer stands under the authority that was asked for',
    formats: bothFormats,
    requests_authority: true,
    alterations: {},
  },
  {
    name: 'chain_with_root',
    description: 'the root is enclosed after the certificates below it',
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
    description: 'the certificate of the signer is that of a seal (RFC 9336)',
    formats: bothFormats,
    document: 'pid',
    alterations: withSignerCertificate((draft) =>
      withExtension(draft, extendedKeyUsage(documentSigningOid, false)),
    ),
  },
  {
    name: 'signer_purpose_none',
    description: 'the certificate of the signer names no purpose',
    formats: bothFormats,
    document: 'pid',
    alterations: withSignerCertificate((draft) => withoutExtension(draft, extendedKeyUsageOid)),
  },
  statusListVariant(
    'status_same_signer',
    'same_signer',
    'the status list is signed by the signer of the document',
  ),
  statusListVariant(
    'status_renewed_signer',
    'renewed_signer',
    'the status list is signed by the signer of the document, with a renewed certificate and key',
  ),
  {
    ...statusListVariant('status_cwt_tag', 'cwt_tag', 'the status list has the tag of a CWT (RFC 8392 §6)'),
    formats: ['mso_mdoc'],
  },
  {
    ...statusListVariant('status_untagged', 'untagged', 'the status list has no CBOR tag (RFC 9052 §2)'),
    formats: ['mso_mdoc'],
  },
  {
    name: 'type_also_known',
    description: 'the document is of a national type, and also of the one that was asked for',
    formats: ['dc+sd-jwt'],
    alterations: {
      issuer_payload: (original, { credential }) => ({
        ...original,
        vct: unrequestedType['dc+sd-jwt'],
        aka_vcts: ['urn:example:another', credential.type],
      }),
    },
  },
  {
    name: 'clock_ahead',
    description: 'the document lapsed 30 seconds ago by the clock of the verifier',
    formats: bothFormats,
    alterations: withValidityPeriod({ until: -30 }),
  },
  {
    name: 'clock_behind',
    description: 'the document is valid in 30 seconds by the clock of the verifier',
    formats: bothFormats,
    alterations: withValidityPeriod({ from: 30 }),
  },
  {
    name: 'state_missing',
    description: 'the encrypted answer has no state',
    formats: bothFormats,
    alterations: { answer: ({ vp_token }) => ({ vp_token }) },
  },
]

function statusListVariant(name: string, list: StatusListName, description: string): Variant {
  return {
    name,
    description,
    formats: bothFormats,
    alterations: withStatusReference(({ issuer, credential }) => statusReference(issuer, credential, list)),
  }
}
