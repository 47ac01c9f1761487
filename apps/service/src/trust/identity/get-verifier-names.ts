import { X509Certificate } from 'node:crypto'
import { boundedMap } from '@vidimus/protocol'
import type { Context } from '../../context.ts'
import { getIdentity } from './get-identity.ts'
import { readRegisteredNames } from './read-registered-names.ts'

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

/** The names behind the certificate and the registration that a session was created with. */
export async function getVerifierNames(
  ctx: Pick<Context, 'db' | 'keyring'>,
  hash: Buffer,
): Promise<VerifierNames> {
  const key = hash.toString('base64')
  const before = known.get(key)
  if (before !== undefined) return before
  const { x5c, verifier_info = [] } = await getIdentity(ctx, hash)
  const certified = readCertificateName(new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64')))
  const names = combineNames(certified, readRegisteredNames(verifier_info))
  known.set(key, names)
  return names
}

function combineNames(
  certified: string | undefined,
  registered: ReturnType<typeof readRegisteredNames>,
): VerifierNames {
  const intermediary = registered?.intermediated === true ? (certified ?? registered.intermediary) : undefined
  const legal_name = intermediary === undefined ? certified : (registered?.name ?? certified)
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
