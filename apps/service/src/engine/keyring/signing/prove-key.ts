import { verify, type KeyObject } from 'node:crypto'
import type { Signer } from './signer.ts'

/** No request object or reader authentication begins like this, so the signature is of no use to anybody. */
const statement = Buffer.from('Vidimus checks that this key belongs to its certificate.')

/** Whether a signer has the private key of a public one. Needs no public key beside the private one. */
export async function provesKey(signer: Signer, publicKey: KeyObject): Promise<boolean> {
  const signature = await signer.sign(statement)
  return verify('sha256', statement, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
}
