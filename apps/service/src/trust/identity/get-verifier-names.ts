import { X509Certificate } from 'node:crypto'
import { boundedMap } from '@vidimus/protocol'
import type { Context } from '../../context.ts'
import { getIdentity } from './get-identity.ts'

const maxCached = 1000
/** A certificate has the same name in every database. */
const names = boundedMap<string, { name: string | undefined }>(maxCached)

/**
 * The name that a wallet shows for the certificate that a session was created with: its organisation, or else its common
 * name. Undefined if it has neither.
 */
export async function getCertificateName(
  ctx: Pick<Context, 'db' | 'keyring'>,
  hash: Buffer,
): Promise<string | undefined> {
  const key = hash.toString('base64')
  const known = names.get(key)
  if (known !== undefined) return known.name
  const [leaf = ''] = (await getIdentity(ctx, hash)).x5c
  const name = readName(new X509Certificate(Buffer.from(leaf, 'base64')))
  names.set(key, { name })
  return name
}

function readName(certificate: X509Certificate): string | undefined {
  const { subject } = certificate.toLegacyObject()
  // A name with several values of one kind has an array; the first is the most general.
  return [subject?.O ?? subject?.CN].flat()[0]
}
