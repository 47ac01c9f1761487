import { readJws, readX5c } from '../crypto/read-jws.ts'
import { catchInputError } from '../input-error.ts'
import { maxClockSkew_seconds } from '../lifetime.ts'
import type { Anchor, StatusListToken } from '../presentation.ts'
import { findSignerRejection } from '../status/check-signer.ts'
import { openStatusList, readEntry, type StatusList } from '../status/open.ts'
import { readCertificate, type Certificate } from '../x509/read-certificate.ts'
import type { Registration, RegistrationFinding } from './registration.ts'

type StatusContext = { anchors: readonly Anchor[]; now: number }
type RegistrationStatus = Pick<Registration, 'token' | 'status_list' | 'issuer'>

/**
 * Checks that a registration certificate is neither revoked nor suspended (ETSI TS 119 475 §6.2.6.2, Token Status List §8.3).
 * `list` is the token at its `status_list.uri`; undefined if it could not be fetched, which is a warning, since a wallet
 * fetches it for itself. A list that must not be used says nothing either.
 */
export function checkRegistrationStatus(
  registration: RegistrationStatus,
  list: StatusListToken | undefined,
  context: StatusContext,
): RegistrationFinding {
  const { status_list } = registration
  if (status_list === undefined) return unknown('it does not name a status list')
  if (list === undefined) return unknown('the status list could not be fetched')
  const opened = openStatusList(list)
  if ('error' in opened) return unknown(opened.error)
  const rejection = checkList(opened.value, registration, context)
  if (rejection !== undefined) return unknown(rejection)
  return evaluateEntry(readEntry(opened.value, status_list.idx))
}

/** Why the list says nothing about this certificate; undefined if it does. */
function checkList(
  list: StatusList,
  { token, status_list, issuer }: RegistrationStatus,
  context: StatusContext,
): string | undefined {
  const { now } = context
  if (list.uri !== status_list?.uri) return 'the status list was issued for another URI'
  if (list.issued_at > now + maxClockSkew_seconds) return 'the status list was issued in the future'
  if (list.expires_at !== undefined && now >= list.expires_at) return 'the status list has expired'
  // Without trusted registrars the certificate was not checked either; its own warning says so.
  if (issuer.anchor === undefined) return undefined

  const subject = {
    anchor: issuer.anchor.fingerprint,
    signer: readSigner(token),
    document_types: [],
    role: 'registration' as const,
  }
  return findSignerRejection(list.chain, subject, context)
}

function readSigner(token: string): Certificate | undefined {
  const leaf = catchInputError(() => readX5c(readJws(token).header)[0])
  const read = 'value' in leaf && leaf.value !== undefined ? readCertificate(leaf.value) : undefined
  return read !== undefined && 'value' in read ? read.value : undefined
}

/** Token Status List §7.1. Other values have a meaning that only the registrar knows. */
function evaluateEntry(entry: number | undefined): RegistrationFinding {
  switch (entry) {
    case undefined:
      return unknown('the status list has no entry for it')
    case 0:
      return { check: 'status', status: 'pass' }
    case 1:
      return { check: 'status', status: 'fail', detail: 'the registrar has revoked it' }
    case 2:
      return { check: 'status', status: 'fail', detail: 'the registrar has suspended it' }
    default:
      return { check: 'status', status: 'fail', detail: `the registrar has given it the status ${entry}` }
  }
}

function unknown(detail: string): RegistrationFinding {
  return { check: 'status', status: 'warning', detail }
}
