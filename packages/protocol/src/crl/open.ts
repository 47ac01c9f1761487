import { verify } from 'node:crypto'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import type { StatusListToken } from '../presentation.ts'
import { readCertificate, type Certificate } from '../x509/read-certificate.ts'
import { x509Algorithms } from '../x509/signature-algorithms.ts'
import { readRevokedSerials, toSerialKey } from './read-serials.ts'
import { readCrl, type UnverifiedCrl } from './read.ts'

/** A revocation list that one authority signed. Whether it is up to date is checked at every lookup. */
export type Crl = Pick<UnverifiedCrl, 'issued_at' | 'next_update' | 'scope' | 'entries'>

type OpenedCrl = { issuer: string; opened: ReadResult<Crl> }

// A list is opened once for as long as the caller keeps it: only its age changes.
const openedCrls = new WeakMap<StatusListToken, OpenedCrl>()
const revokedSerials = new WeakMap<Crl, ReadResult<Set<string>>>()

/** Parses a list and verifies that the authority signed it (RFC 5280 §6.3.3 (b), (f), (g)). */
export function openCrl(token: StatusListToken, issuer: Certificate): ReadResult<Crl> {
  const known = openedCrls.get(token)
  if (known?.issuer === issuer.fingerprint) return known.opened
  const opened = catchInputError(() => verifyCrl(token, issuer))
  openedCrls.set(token, { issuer: issuer.fingerprint, opened })
  return opened
}

/** The same for an authority whose certificate is given in DER. */
export function openCrlOf(token: StatusListToken, issuer: Uint8Array): ReadResult<Crl> {
  const read = readCertificate(issuer)
  return 'error' in read ? read : openCrl(token, read.value)
}

/** Whether the list names the certificate. The first call for a list reads all entries. */
export function isRevoked(crl: Crl, { serial }: Certificate): ReadResult<boolean> {
  const { entries } = crl
  if (entries === undefined) return { value: false }
  let serials = revokedSerials.get(crl)
  if (serials === undefined) {
    serials = catchInputError(() => readRevokedSerials(entries))
    revokedSerials.set(crl, serials)
  }
  return 'error' in serials ? serials : { value: serials.value.has(toSerialKey(serial)) }
}

function verifyCrl({ token, media }: StatusListToken, issuer: Certificate): Crl {
  if (media !== 'crl' || typeof token === 'string')
    throw new InputError('this is not a certificate revocation list')
  const { signed, signature_oid, signature, issuer: name, ...crl } = readCrl(token)
  if (name !== issuer.subject.der) throw new InputError('the revocation list was issued by another authority')
  if (issuer.extensions.usage?.crl_sign === false)
    throw new InputError('the authority may not sign revocation lists')
  const algorithm = x509Algorithms.get(signature_oid)
  if (algorithm === undefined || issuer.key?.key.asymmetricKeyType !== algorithm.key_type)
    throw new InputError('the algorithm of the revocation list is not accepted')
  if (!verify(algorithm.hash, signed, issuer.key.key, signature))
    throw new InputError('the revocation list was not signed by the authority')
  return crl
}
