import { failure } from '../findings.ts'
import { maxClockSkew_seconds } from '../lifetime.ts'
import type { Finding, PresentedCredential, VerificationContext } from '../presentation.ts'
import { findSignerRejection } from './check-signer.ts'
import { openStatusList, readEntry, type StatusList } from './open.ts'

type StatusContext = Pick<VerificationContext, 'trust' | 'now'>

/** Checks that a credential is neither revoked nor suspended (Token Status List §8.3). Call it after all other checks passed. */
export async function checkStatus(
  credential: PresentedCredential,
  { trust, now }: StatusContext,
): Promise<Finding[]> {
  if (credential.status_list === undefined) return []
  const { uri, idx } = credential.status_list
  const token = await trust.lookUpStatus(uri)
  if (token === undefined) {
    return [
      { check: 'status_list', status: trust.status_unavailable, detail: 'the status list is unavailable' },
    ]
  }
  // The policy covers only lists that are unavailable. An invalid list always fails.
  const opened = openStatusList(token)
  if ('error' in opened) return [failure('status_list', opened.error)]
  const rejection = checkList(opened.value, credential, { trust, now })
  if (rejection !== undefined) return [failure('status_list', rejection)]
  return evaluateEntry(readEntry(opened.value, idx))
}

/** Why the list is not valid for this credential: wrong URI, out of date, or not signed by its issuer or status signer. Undefined if it is. */
function checkList(
  list: StatusList,
  credential: PresentedCredential,
  { trust, now }: StatusContext,
): string | undefined {
  if (list.uri !== credential.status_list?.uri) return 'the status list was issued for another URI'
  if (list.issued_at > now + maxClockSkew_seconds) return 'the status list was issued in the future'
  if (list.expires_at !== undefined && now >= list.expires_at) return 'the status list has expired'

  const { anchor, signer, document_types = [credential.doctype_or_vct] } = credential
  const subject = { anchor, signer, document_types, role: 'issuing' as const }
  return findSignerRejection(list.chain, subject, { anchors: trust.anchors, now })
}

/** Token Status List §7.1. The meaning of other values is specific to the issuer, so they fail here. */
function evaluateEntry(entry: number | undefined): Finding[] {
  switch (entry) {
    case undefined:
      return [failure('status_list', 'the status list has no entry for this credential')]
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
