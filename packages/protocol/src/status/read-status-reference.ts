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
  const { uri, idx } = isObject(status) && isObject(status['status_list']) ? status['status_list'] : {}
  if (isListUri(uri) && isIndex(idx)) return { status_list: { uri, idx }, findings: [] }
  const detail = 'the credential uses an unsupported status mechanism'
  return { findings: [{ check: 'status_list', status: status_unavailable, detail }] }
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
