import { X509Certificate } from 'node:crypto'
import { boundedMap, findRegistrationToken, readRegistration, type Registration } from '@vidimus/protocol'
import { getIdentity, type IdentityContext } from './get-identity.ts'

export type VerifierNames = {
  /**
   * The name that a wallet shows: the registered one if somebody else asks on its behalf (ARF 3.0.0, RPI_07), otherwise the
   * certificate's organisation, or else its common name. Absent if there is neither.
   */
  legal_name?: string
  /** The owner of the certificate, if it asks on behalf of the registered one. */
  intermediary?: string
}

const maxCached = 1000
/** A hash names the same certificate and registration in every database. */
const known = boundedMap<string, VerifierNames>(maxCached)

/** The names behind the certificate and the registration that a verification was created with. */
export async function getVerifierNames(ctx: IdentityContext, hash: Buffer): Promise<VerifierNames> {
  const key = hash.toString('base64')
  const before = known.get(key)
  if (before !== undefined) return before
  const { x5c, verifier_info } = await getIdentity(ctx, hash)
  const certified = readCertificateName(new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64')))
  const token = findRegistrationToken(verifier_info)
  const names = combineNames(certified, token === undefined ? undefined : readStored(token))
  known.set(key, names)
  return names
}

/** It was checked when it was stored, so that neither its issuer nor the time matters here. */
function readStored(token: string): Registration | undefined {
  const read = readRegistration(token, { anchors: [], now: 0 })
  return 'error' in read ? undefined : read.value
}

function combineNames(certified: string | undefined, registration: Registration | undefined): VerifierNames {
  const asking = registration?.intermediary
  const intermediary = asking && (certified ?? asking.name ?? asking.identifier)
  const legal_name =
    asking === undefined ? certified : (registration?.name ?? registration?.legal_name ?? certified)
  return {
    ...(legal_name !== undefined && { legal_name }),
    ...(intermediary !== undefined && { intermediary }),
  }
}

function readCertificateName(certificate: X509Certificate): string | undefined {
  const { subject } = certificate.toLegacyObject()
  // A name with several values of one kind has an array; the first is the most general.
  return [subject?.O ?? subject?.CN].flat()[0]
}
