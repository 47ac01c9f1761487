import { createAuthority, validityAround } from '../certificates/authority.ts'
import { implicit, sequence } from '../certificates/der.ts'
import {
  crlDistributionPoint,
  crlDistributionPointsOid,
  fullName,
  ocspResponder,
  type Extension,
} from '../certificates/extensions.ts'
import { crlUri, type CrlName } from '../issuer/crl-uri.ts'
import { revokedSerial } from '../issuer/crls.ts'
import { ocspUri, type OcspName } from '../issuer/ocsp.ts'
import { createSigner, findRootName, type SignerDraft } from '../issuer/signer.ts'
import { statusReference } from '../issuer/status-lists.ts'
import type { PresentationContext } from '../alterations.ts'
import { withStatusReference } from './alteration-helpers.ts'
import {
  findHierarchy,
  validSignerDraft,
  withExtension,
  withoutExtension,
  withSignerCertificate,
} from './certificates.ts'
import { inBoth, type Fault } from './fault.ts'

/** Certificates that were revoked, and revocation lists that cannot be used (RFC 5280 §6.3). */
export const revokedSignerFaults: readonly Fault[] = [
  {
    name: 'signer_revoked',
    description: 'the authority has revoked the signer certificate',
    expect: inBoth('issuer_certificate_revocation'),
    alterations: withSignerCertificate((draft) => ({ ...draft, serial: revokedSerial })),
  },
  {
    name: 'authority_revoked',
    description: 'the root has revoked the certificate of the authority that certified the signer',
    expect: inBoth('issuer_certificate_revocation'),
    document: 'pid',
    alterations: {
      signer: (_, context) => {
        const { root, issuing } = findHierarchy(context)
        const revoked = createAuthority(
          {
            ...validityAround(context.now, 30, 300),
            name: issuing.name,
            path_length: 0,
            serial: revokedSerial,
            extensions: [crlDistributionPoint(crlUri(context.issuer, 'persons_root'))],
          },
          root,
        )
        // Nobody serves a list of this authority.
        const draft = withoutExtension(validSignerDraft(context), crlDistributionPointsOid)
        return createSigner({ root, issuing: revoked }, draft)
      },
    },
  },
  {
    name: 'status_signer_revoked',
    description: 'the authority has revoked the certificate of the signer of the status list',
    expect: inBoth('issuer_certificate_revocation'),
    alterations: withStatusReference(({ issuer, credential }) =>
      statusReference(issuer, credential, 'revoked_signer'),
    ),
  },
  crlFault('crl_unreachable', 'absent', 'the revocation list of the signer certificate cannot be fetched'),
  crlFault('crl_expired', 'expired', 'the revocation list of the signer certificate has expired'),
  crlFault('crl_wrongly_signed', 'wrongly_signed', 'the revocation list is signed with another key'),
  crlFault('crl_other_authority', 'other_authority', 'the revocation list is that of another authority'),
  crlFault(
    'crl_other_place',
    'other_place',
    'the revocation list covers certificates that name another place',
  ),
  crlFault('crl_only_authorities', 'only_authorities', 'the revocation list covers authorities only'),
  crlFault('crl_indirect', 'indirect', 'the revocation list is indirect'),
  crlFault('crl_delta', 'delta', 'the revocation list is a delta'),
  crlFault(
    'crl_unknown_extension',
    'unknown_extension',
    'the revocation list has an unknown critical extension',
  ),
  {
    name: 'crl_other_scheme',
    description: 'the signer certificate names a revocation list in a directory (LDAP) only',
    expect: inBoth('issuer_certificate_crl'),
    alterations: withSignerCertificate((draft) =>
      withExtension(draft, crlDistributionPoint('ldap://directory.invalid/cn=crl')),
    ),
  },
  {
    name: 'crl_some_reasons',
    description: 'the signer certificate names a revocation list for some reasons only',
    expect: inBoth('issuer_certificate_crl'),
    alterations: withSignerCertificate((draft, context) =>
      withExtension(draft, pointForSomeReasons(context)),
    ),
  },
  {
    name: 'ocsp_revoked',
    description: 'the responder says that the signer certificate was revoked',
    expect: inBoth('issuer_certificate_revocation'),
    alterations: withSignerCertificate((draft, context) => ({
      ...withResponder(draft, context, 'current'),
      serial: revokedSerial,
    })),
  },
  ocspFault('ocsp_unreachable', 'absent', 'the responder for the signer certificate cannot be reached'),
  ocspFault(
    'ocsp_refused',
    'refused',
    'the responder cannot tell whether the signer certificate was revoked',
  ),
  ocspFault('ocsp_unknown', 'unknown', 'the responder does not know the signer certificate'),
  ocspFault('ocsp_expired', 'expired', 'the OCSP response has expired'),
  ocspFault('ocsp_wrongly_signed', 'wrongly_signed', 'the OCSP response is signed with another key'),
  ocspFault('ocsp_other_authority', 'other_authority', 'the OCSP response is that of another authority'),
  ocspFault('ocsp_other_certificate', 'other_certificate', 'the OCSP response is about another certificate'),
  ocspFault(
    'ocsp_other_purpose',
    'other_purpose',
    'the OCSP response is signed by a certificate that is not for responders',
  ),
  ocspFault(
    'ocsp_other_delegate',
    'other_delegate',
    'the OCSP response is signed by a responder of another authority',
  ),
]

function ocspFault(name: string, responder: OcspName, description: string): Fault {
  return {
    name,
    description,
    expect: inBoth('issuer_certificate_crl'),
    alterations: withSignerCertificate((draft, context) => withResponder(draft, context, responder)),
  }
}

/** A signer certificate that names a responder, and no revocation list. */
export function withResponder(draft: SignerDraft, context: PresentationContext, name: OcspName): SignerDraft {
  const { issuer, credential } = context
  const responder = ocspResponder(ocspUri(issuer, findRootName(credential.document), name))
  return withExtension(withoutExtension(draft, crlDistributionPointsOid), responder)
}

function crlFault(name: string, list: CrlName, description: string): Fault {
  return {
    name,
    description,
    expect: inBoth('issuer_certificate_crl'),
    alterations: withSignerCertificate((draft, context) =>
      withExtension(draft, crlDistributionPoint(signerCrlUri(context, list))),
    ),
  }
}

/** The place of a list of the authority that certifies the signers of this credential. */
export function signerCrlUri({ issuer, credential }: PresentationContext, list: CrlName): string {
  return crlUri(issuer, `${findRootName(credential.document)}_issuing`, list)
}

/** A distribution point with the member `reasons` (RFC 5280 §4.2.1.13): keyCompromise. */
function pointForSomeReasons(context: PresentationContext): Extension {
  const point = sequence(fullName(signerCrlUri(context, 'current')), implicit(1, Uint8Array.of(6, 0x40)))
  return { oid: crlDistributionPointsOid, critical: false, value: sequence(point) }
}
