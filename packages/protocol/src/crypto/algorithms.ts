/** The curve that an algorithm is bound to, by its `node:crypto` name. */
export type Curve = 'prime256v1' | 'secp384r1' | 'secp521r1' | 'ed25519'

export type SignatureAlgorithm = {
  curve: Curve
  /** Undefined if the algorithm hashes by itself. */
  hash: string | undefined
  /** The only valid length of a signature: r and s in full (RFC 7518 §3.4), or RFC 8032. */
  signature_bytes: number
}

const es256: SignatureAlgorithm = { curve: 'prime256v1', hash: 'sha256', signature_bytes: 64 }
const es384: SignatureAlgorithm = { curve: 'secp384r1', hash: 'sha384', signature_bytes: 96 }
const es512: SignatureAlgorithm = { curve: 'secp521r1', hash: 'sha512', signature_bytes: 132 }
const ed25519: SignatureAlgorithm = { curve: 'ed25519', hash: undefined, signature_bytes: 64 }

/** RFC 7518, RFC 8037, RFC 9864. Nothing else is accepted: no `none`, no MAC, no RSA. */
const algorithmsByJoseName = new Map<unknown, SignatureAlgorithm>([
  ['ES256', es256],
  ['ES384', es384],
  ['ES512', es512],
  ['EdDSA', ed25519],
  ['Ed25519', ed25519],
])

/** RFC 9053 with a fixed curve each, and the fully specified ids of RFC 9864. */
const algorithmsByCoseId = new Map<unknown, SignatureAlgorithm>([
  [-7, es256],
  [-9, es256],
  [-35, es384],
  [-51, es384],
  [-36, es512],
  [-52, es512],
  [-8, ed25519],
  [-19, ed25519],
])

/** The advertised names. OpenID4VP 1.0 annex B.3.4 requires fully specified ones (RFC 9864), which `EdDSA` is not. */
export const joseAlgorithmNames = ([...algorithmsByJoseName.keys()] as string[]).filter(
  (name) => name !== 'EdDSA',
)
/** Annex B.2.2 lets a wallet match either id. */
export const coseAlgorithmIds = [...algorithmsByCoseId.keys()] as number[]

export function findJoseAlgorithm(alg: unknown): SignatureAlgorithm | undefined {
  return algorithmsByJoseName.get(alg)
}

export function findCoseAlgorithm(alg: unknown): SignatureAlgorithm | undefined {
  return algorithmsByCoseId.get(alg)
}
