import { failure, hasFailure } from '../findings.ts'
import type { Finding, PresentedCredential, VerificationContext } from '../presentation.ts'
import { maxClockSkew_seconds } from '../lifetime.ts'
import { isStatusSigner, statusListProfile } from '../x509/profiles.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { validatePath } from '../x509/validate-path.ts'
import { openStatusList, readEntry, type StatusList } from './open.ts'

type StatusContext = Pick<VerificationContext, 'trust' | 'now'>

/** Whether the issuer still stands by a credential (Token Status List §8.3). To be asked once everything else holds. */
export async function checkStatus(
  credential: PresentedCredential,
  { trust, now }: StatusContext,
): Promise<Finding[]> {
  if (credential.status_list === undefined) return []
  const { uri, idx } = credential.status_list
  const token = await trust.lookUpStatus(uri)
  if (token === undefined) {
    return [{ check: 'status_list', status: trust.status_unavailable, detail: 'the list could not be had' }]
  }
  // Only a list that cannot be had is a matter of policy. One that is wrong is worse than none.
  const opened = openStatusList(token)
  if ('error' in opened) return [failure('status_list', opened.error)]
  const rejection = checkList(opened.value, credential, { trust, now })
  if (rejection !== undefined) return [failure('status_list', rejection)]
  return evaluateEntry(readEntry(opened.value, idx))
}

/** Undefined when the list may be believed: issued for this address, in date, by the credential's issuer or its status signer. */
function checkList(
  list: StatusList,
  credential: PresentedCredential,
  { trust, now }: StatusContext,
): string | undefined {
  if (list.uri !== credential.status_list?.uri) return 'the list was issued for another address'
  if (list.issued_at > now + maxClockSkew_seconds) return 'the list is from the future'
  if (list.expires_at !== undefined && now >= list.expires_at) return 'the list is out of date'

  const { signer, anchor, findings } = validatePath({
    chain: list.chain,
    anchors: trust.anchors,
    document_types: credential.document_types ?? [credential.doctype_or_vct],
    profile: statusListProfile,
    now,
  })
  if (signer === undefined || anchor === undefined || hasFailure(findings))
    return 'the signer of the list is not trusted'
  if (anchor.fingerprint !== credential.anchor)
    return 'the list was signed under another authority than the credential'
  if (!isStatusSigner(signer) && !isSameEntity(signer, credential.signer))
    return 'the signer of the list is neither that of the credential nor certified to sign status lists'
  return undefined
}

/** An authority gives one name to one entity only, so a renewed certificate of the signer is known by it (RFC 5280 §4.1.2.6). */
function isSameEntity(signer: Certificate, other: Certificate | undefined): boolean {
  return signer.subject.der === other?.subject.der && signer.issuer.der === other.issuer.der
}

/** Token Status List §7.1. What an issuer means by other values is for its own readers: not good here. */
function evaluateEntry(entry: number | undefined): Finding[] {
  switch (entry) {
    case undefined:
      return [failure('status_list', 'the list does not reach as far as this credential')]
    case 0:
      return []
    case 1:
      return [failure('revocation', 'the issuer has revoked the credential')]
    case 2:
      return [failure('revocation', 'the issuer has suspended the credential')]
    default:
      return [failure('revocation', `the issuer has given the credential the status ${entry}`)]
  }
}
