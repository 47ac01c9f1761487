import { isObject } from '../json.ts'
import type { Finding, StatusReference, Trust } from '../presentation.ts'

const MAX_URI_CHARACTERS = 2048

/**
 * Where the status of a credential is kept (Token Status List §6.1). A credential without `status` cannot be revoked;
 * one whose status is kept in a way that is not understood has a status that cannot be had.
 */
export function locateStatus(
  status: unknown,
  { status_unavailable }: Trust,
): { status_list?: StatusReference; findings: Finding[] } {
  if (status === undefined) return { findings: [] }
  const { uri, idx } = isObject(status) && isObject(status['status_list']) ? status['status_list'] : {}
  if (isListAddress(uri) && isIndex(idx)) return { status_list: { uri, idx }, findings: [] }
  const detail = 'the credential keeps its status in a way that is not understood here'
  return { findings: [{ check: 'status_list', status: status_unavailable, detail }] }
}

function isListAddress(uri: unknown): uri is string {
  return (
    typeof uri === 'string' &&
    uri.length <= MAX_URI_CHARACTERS &&
    uri.startsWith('https://') &&
    URL.canParse(uri)
  )
}

function isIndex(idx: unknown): idx is number {
  return typeof idx === 'number' && Number.isSafeInteger(idx) && idx >= 0
}
