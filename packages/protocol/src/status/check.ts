import { failure, hasFailure } from '../findings.ts'
import type { Finding, PresentedCredential, VerificationContext } from '../presentation.ts'
import { statusListProfile } from '../x509/profiles.ts'
import { validatePath } from '../x509/validate-path.ts'
import { openStatusList, readEntry, type StatusList } from './open.ts'

type Context = Pick<VerificationContext, 'trust' | 'now'>

/** Whether the issuer still stands by a credential (Token Status List §8.3). To be asked once everything else holds. */
export async function checkStatus(
  credential: PresentedCredential,
  { trust, now }: Context,
): Promise<Finding[]> {
  if (credential.status_list === undefined) return []
  const { uri, idx } = credential.status_list
  const token = await trust.lookUpStatus(uri)
  if (token === undefined) {
    return [{ check: 'status_list', status: trust.status_unavailable, detail: 'the list could not be had' }]
  }
  // Only a list that cannot be had is a matter of policy. One that is wrong is worse than none.
  const opened = openStatusList(token)
  if ('fault' in opened) return [failure('status_list', opened.fault)]
  const unfit = checkList(opened.value, credential, { trust, now })
  if (unfit !== undefined) return [failure('status_list', unfit)]
  return judgeEntry(readEntry(opened.value, idx))
}

/** Undefined when the list may be believed: issued for this address, in date, and under the credential's own anchor. */
function checkList(
  list: StatusList,
  credential: PresentedCredential,
  { trust, now }: Context,
): string | undefined {
  if (list.uri !== credential.status_list?.uri) return 'the list was issued for another address'
  if (list.issued_at > now + SKEW_SECONDS) return 'the list is from the future'
  if (list.expires_at !== undefined && now >= list.expires_at) return 'the list is out of date'

  const { anchor, findings } = validatePath({
    chain: list.chain,
    anchors: trust.anchors,
    document_type: credential.doctype_or_vct,
    profile: statusListProfile,
    now,
  })
  if (anchor === undefined || hasFailure(findings)) return 'the signer of the list is not trusted'
  if (anchor.fingerprint !== credential.anchor)
    return 'the list was signed under another authority than the credential'
  return undefined
}

const SKEW_SECONDS = 60

/** Token Status List §7.1. What an issuer means by other values is for its own readers: not good here. */
function judgeEntry(entry: number | undefined): Finding[] {
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
