import { isObject } from '../json.ts'
import type {
  Finding,
  IdentifierReference,
  PresentedCredential,
  StatusReference,
  TrustContext,
} from '../presentation.ts'

const maxUriCharacters = 2048
const maxIdentifier_bytes = 64

export type StatusReferences = Pick<PresentedCredential, 'status_list' | 'identifier_list'> & {
  findings: Finding[]
}

/**
 * Reads where the status of a credential is published (Token Status List §6.1). A credential without `status` cannot be
 * revoked; with an unsupported status mechanism, its status is unavailable. Only an mdoc can have an identifier, which is a
 * byte string. If a document names lists of both kinds, either says whether it was revoked; the status list is used.
 */
export function readStatusReference(
  status: unknown,
  { status_unavailable }: TrustContext,
  identifier?: Uint8Array,
): StatusReferences {
  if (status === undefined) return { findings: [] }
  const status_list = readListReference(status)
  if (status_list !== undefined) return { status_list, findings: [] }
  const identifier_list = identifier && findIdentifierList(status, identifier)
  if (identifier_list !== undefined) return { identifier_list, findings: [] }
  const detail = 'the credential uses an unsupported status mechanism'
  return { findings: [{ check: 'status_list', status: status_unavailable, detail }] }
}

/** The `status_list` of a `status` claim; undefined if it has none that can be used. */
export function readListReference(status: unknown): StatusReference | undefined {
  const { uri, idx } = isObject(status) && isObject(status['status_list']) ? status['status_list'] : {}
  return isListUri(uri) && isIndex(idx) ? { uri, idx } : undefined
}

function findIdentifierList(status: unknown, id: Uint8Array): IdentifierReference | undefined {
  const { uri } = isObject(status) && isObject(status['identifier_list']) ? status['identifier_list'] : {}
  const isBounded = id.length > 0 && id.length <= maxIdentifier_bytes
  return isListUri(uri) && isBounded ? { uri, id } : undefined
}

function isListUri(uri: unknown): uri is string {
  return (
    typeof uri === 'string' &&
    uri.length <= maxUriCharacters &&
    uri.startsWith('https://') &&
    URL.canParse(uri)
  )
}

function isIndex(idx: unknown): idx is number {
  return typeof idx === 'number' && Number.isSafeInteger(idx) && idx >= 0
}
