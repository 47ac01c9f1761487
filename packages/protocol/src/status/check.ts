import { checkPathRevocation } from '../crl/check.ts'
import { failure, hasFailure } from '../findings.ts'
import type { ReadResult } from '../input-error.ts'
import { maxClockSkew_seconds } from '../lifetime.ts'
import type { Finding, PresentedCredential, StatusListToken, VerificationContext } from '../presentation.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { validateListSigner } from './check-signer.ts'
import { listsIdentifier, openIdentifierList, type IdentifierList } from './open-identifier-list.ts'
import { openStatusList, readEntry, type StatusList } from './open.ts'
import type { ListHead } from './read-token.ts'

type StatusContext = Pick<VerificationContext, 'trust' | 'now'>

/**
 * Checks that a credential is neither revoked nor suspended (Token Status List §8.3), and that nobody who vouches for it was:
 * the signers of the credential and of its lists. Call it after all other checks passed. All lookups start at once.
 */
export async function checkStatus(
  credential: PresentedCredential,
  context: StatusContext,
): Promise<Finding[]> {
  const { status_list, identifier_list } = credential
  const findings = await Promise.all([
    checkPathRevocation(credential.path ?? [], context),
    status_list &&
      checkListed<StatusList>(credential, context, {
        uri: status_list.uri,
        open: openStatusList,
        evaluate: (list) => evaluateEntry(readEntry(list, status_list.idx)),
      }),
    identifier_list &&
      checkListed<IdentifierList>(credential, context, {
        uri: identifier_list.uri,
        open: openIdentifierList,
        evaluate: (list) => (listsIdentifier(list, identifier_list.id) ? [revokedFinding] : []),
      }),
  ])
  return findings.flatMap((found) => found ?? [])
}

/** How one kind of list is opened, and what it says about the credential. */
type ListCheck<List> = {
  uri: string
  open: (token: StatusListToken) => ReadResult<List>
  evaluate: (list: List) => Finding[]
}

async function checkListed<List extends ListHead>(
  credential: PresentedCredential,
  { trust, now }: StatusContext,
  { uri, open, evaluate }: ListCheck<List>,
): Promise<Finding[]> {
  const token = await trust.lookUpStatus(uri)
  if (token === undefined) {
    return [
      { check: 'status_list', status: trust.status_unavailable, detail: 'the status list is unavailable' },
    ]
  }
  // The policy covers only lists that are unavailable. An invalid list always fails.
  const opened = open(token)
  if ('error' in opened) return [failure('status_list', opened.error)]
  const list = opened.value
  const rejection = findListError(list, uri, now)
  if (rejection !== undefined) return [failure('status_list', rejection)]

  const { anchor, signer, document_types = [credential.doctype_or_vct] } = credential
  const subject = { anchor, signer, document_types, role: 'issuing' as const }
  const validated = validateListSigner(list.chain, subject, { anchors: trust.anchors, now })
  if ('rejection' in validated) return [failure('status_list', validated.rejection)]
  const signerFindings = await checkListSigner(validated.path, credential, { trust, now })
  return hasFailure(signerFindings) ? signerFindings : [...signerFindings, ...evaluate(list)]
}

/** Why the list is not valid for this credential: wrong URI, or out of date. Undefined if it is. */
function findListError(list: ListHead, uri: string, now: number): string | undefined {
  if (list.uri !== uri) return 'the status list was issued for another URI'
  if (list.issued_at > now + maxClockSkew_seconds) return 'the status list was issued in the future'
  if (list.expires_at !== undefined && now >= list.expires_at) return 'the status list has expired'
  return undefined
}

/** The certificates that the paths of both signers share are reported once, for the credential. */
async function checkListSigner(
  path: readonly Certificate[],
  { path: credentialPath = [] }: PresentedCredential,
  context: StatusContext,
): Promise<Finding[]> {
  const shared = new Set(credentialPath.map(({ fingerprint }) => fingerprint))
  const firstShared = path.findIndex(({ fingerprint }) => shared.has(fingerprint))
  return checkPathRevocation(firstShared === -1 ? path : path.slice(0, firstShared + 1), context)
}

const revokedFinding = failure('revocation', 'the issuer has revoked the credential')

/** Token Status List §7.1. The meaning of other values is specific to the issuer, so they fail here. */
function evaluateEntry(entry: number | undefined): Finding[] {
  switch (entry) {
    case undefined:
      return [failure('status_list', 'the status list has no entry for this credential')]
    case 0:
      return []
    case 1:
      return [revokedFinding]
    case 2:
      return [failure('revocation', 'the issuer has suspended the credential')]
    default:
      return [failure('revocation', `the issuer has given the credential the status ${entry}`)]
  }
}
