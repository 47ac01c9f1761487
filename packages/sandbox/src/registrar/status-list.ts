import { deflateSync } from 'node:zlib'
import { x5c, type Signer } from '../issuer/signer.ts'
import { unixSeconds } from '../issuer/validity-period.ts'
import { base64url, signJws } from '../keys/sign-jws.ts'
import type { Registrar } from './create-registrar.ts'

/** Fixed indexes, so that every process with this registrar serves the same list. */
const statusIndexes = { valid: 10, revoked: 1, suspended: 2 } as const
const bits = 2
const listSize = 1024
const day_seconds = 86_400

/** The `status` claim of a registration certificate (Token Status List §6.1). */
export function registrationStatus(
  { status_uri }: Pick<Registrar, 'status_uri'>,
  status: keyof typeof statusIndexes,
  offset = 0,
) {
  return { status_list: { idx: statusIndexes[status] + offset, uri: `${status_uri}/registrations.jwt` } }
}

export type RegistrationStatusOptions = {
  now: Date
  /** Signs in place of the registrar's status signer. */
  signer?: Signer
  /** Seconds from now; negative for a list that has expired. */
  expires_in?: number
}

/** The registrar's status list as a JWT (Token Status List §5.1). Undefined if there is none at the URI. */
export function serveRegistrationStatus(
  { status_uri, status_signer }: Registrar,
  uri: string,
  { now, signer = status_signer, expires_in = day_seconds }: RegistrationStatusOptions,
): string | undefined {
  if (uri !== `${status_uri}/registrations.jwt`) return undefined
  const statuses = new Uint8Array((listSize * bits) / 8)
  // The values of §7.1, least significant bits first (§4.1). Both entries are in the first byte.
  statuses[0] = (1 << (statusIndexes.revoked * bits)) | (2 << (statusIndexes.suspended * bits))
  const issuedAt = unixSeconds(now)
  return signJws(
    { alg: signer.key.algorithm, typ: 'statuslist+jwt', x5c: x5c(signer) },
    {
      sub: uri,
      iat: issuedAt - 60,
      exp: issuedAt + expires_in,
      ttl: 3600,
      status_list: { bits, lst: base64url(deflateSync(statuses)) },
    },
    signer.key,
  )
}
