import { isObject } from '../json.ts'
import type { Finding, StatusReference, TrustContext } from '../presentation.ts'

const maxUriCharacters = 2048

/**
 * Reads where the status of a credential is published (Token Status List §6.1). A credential without `status` cannot be
 * revoked; with an unsupported status mechanism, its status is unavailable.
 */
export function readStatusReference(
  status: unknown,
  { status_unavailable }: TrustContext,
): { status_list?: StatusReference; findings: Finding[] } {
  if (status === undefined) return { findings: [] }
  const status_list = readListReference(status)
  if (status_list !== undefined) return { status_list, findings: [] }
  const detail = 'the credential uses an unsupported status mechanism'
  return { findings: [{ check: 'status_list', status: status_unavailable, detail }] }
}

/** The `status_list` of a `status` claim; undefined if it has none that can be used. */
export function readListReference(status: unknown): StatusReference | undefined {
  const { uri, idx } = isObject(status) && isObject(status['status_list']) ? status['status_list'] : {}
  return isListUri(uri) && isIndex(idx) ? { uri, idx } : undefined
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
