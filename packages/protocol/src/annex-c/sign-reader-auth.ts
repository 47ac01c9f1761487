import { wrapInTag24, writeCbor, type CborParts } from '../cbor/write.ts'
import { buildSigStructure } from '../cose/sign1.ts'
import type { VerifierIdentity } from '../request/identify.ts'
import type { RequestSigner } from '../request/sign.ts'

/** The merchant's access certificate, the leaf first, and its key. */
export type Reader = Pick<VerifierIdentity, 'x5c'> & { sign: RequestSigner }

const algLabel = 1
const x5chainLabel = 33
const es256 = -7

/** Signs a docRequest or the whole request: a COSE_Sign1 with a detached payload (ISO/IEC 18013-5 §9.1.4). */
export async function signAsReader(authentication: CborParts, { x5c, sign }: Reader): Promise<CborParts> {
  const protected_bytes = writeCbor(new Map([[algLabel, es256]]))
  const payload = wrapInTag24(writeCbor(authentication))
  const signature = await sign(buildSigStructure({ protected_bytes }, payload))
  const chain = x5c.map((certificate) => Buffer.from(certificate, 'base64'))
  const [leaf] = chain
  // RFC 9360: a single certificate is not in an array.
  const x5chain: CborParts = chain.length === 1 && leaf !== undefined ? leaf : chain
  return [protected_bytes, new Map([[x5chainLabel, x5chain]]), null, signature]
}
