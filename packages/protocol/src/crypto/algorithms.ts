/** The curves that an algorithm may be used with, by their `node:crypto` names. */
export type Curve =
  | 'prime256v1'
  | 'secp384r1'
  | 'secp521r1'
  | 'brainpoolP256r1'
  | 'brainpoolP320r1'
  | 'brainpoolP384r1'
  | 'brainpoolP512r1'
  | 'ed25519'

export type SignatureAlgorithm = {
  /** Undefined if the algorithm hashes by itself. */
  hash: string | undefined
  /** By curve, the only valid length of a signature: r and s in full (RFC 7518 §3.4), or RFC 8032. No other curve is accepted. */
  signature_bytes: ReadonlyMap<string | undefined, number>
}

function onCurves(hash: string | undefined, lengths: Partial<Record<Curve, number>>): SignatureAlgorithm {
  return { hash, signature_bytes: new Map(Object.entries(lengths)) }
}

const es256 = onCurves('sha256', { prime256v1: 64 })
const es384 = onCurves('sha384', { secp384r1: 96 })
const es512 = onCurves('sha512', { secp521r1: 132 })
const esb256 = onCurves('sha256', { brainpoolP256r1: 64 })
const esb320 = onCurves('sha384', { brainpoolP320r1: 80 })
const esb384 = onCurves('sha384', { brainpoolP384r1: 96 })
const esb512 = onCurves('sha512', { brainpoolP512r1: 128 })
const ed25519 = onCurves(undefined, { ed25519: 64 })

/**
 * RFC 7518, RFC 8037, RFC 9864. Nothing else is accepted: no `none`, no MAC, no RSA. RFC 9864 registers the Brainpool algorithms
 * for COSE only, and JOSE has no registered name for them: issuers that use them in a JWT write the same names.
 */
const algorithmsByJoseName = new Map<unknown, SignatureAlgorithm>([
  ['ES256', es256],
  ['ES384', es384],
  ['ES512', es512],
  ['ESB256', esb256],
  ['ESB320', esb320],
  ['ESB384', esb384],
  ['ESB512', esb512],
  ['EdDSA', ed25519],
  ['Ed25519', ed25519],
])

/**
 * The fully specified ids of RFC 9864 name the curve. Those of RFC 9053 §2.1 do not: they are accepted with the curves that mdoc
 * libraries use them with, of the length of their hash and Brainpool's P320r1 (after ISO/IEC 18013-5, whose text was not
 * available here).
 */
const algorithmsByCoseId = new Map<unknown, SignatureAlgorithm>([
  [-7, onCurves('sha256', { prime256v1: 64, brainpoolP256r1: 64 })],
  [-9, es256],
  [-35, onCurves('sha384', { secp384r1: 96, brainpoolP320r1: 80, brainpoolP384r1: 96 })],
  [-51, es384],
  [-36, onCurves('sha512', { secp521r1: 132, brainpoolP512r1: 128 })],
  [-52, es512],
  [-265, esb256],
  [-266, esb320],
  [-267, esb384],
  [-268, esb512],
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
