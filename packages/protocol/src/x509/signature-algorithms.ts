/** How a signature in a certificate or a revocation list is verified: the hash, undefined if the algorithm hashes by itself, and the type of key that it needs. */
type X509Algorithm = { hash: string | undefined; key_type: 'ec' | 'rsa' | 'ed25519' }

/** ECDSA and RSA with SHA-2, and Ed25519 (RFC 5758, RFC 4055, RFC 8410). Nothing with SHA-1 or MD5. */
export const x509Algorithms: ReadonlyMap<string, X509Algorithm> = new Map<string, X509Algorithm>([
  ['1.2.840.10045.4.3.2', { hash: 'sha256', key_type: 'ec' }],
  ['1.2.840.10045.4.3.3', { hash: 'sha384', key_type: 'ec' }],
  ['1.2.840.10045.4.3.4', { hash: 'sha512', key_type: 'ec' }],
  ['1.2.840.113549.1.1.11', { hash: 'sha256', key_type: 'rsa' }],
  ['1.2.840.113549.1.1.12', { hash: 'sha384', key_type: 'rsa' }],
  ['1.2.840.113549.1.1.13', { hash: 'sha512', key_type: 'rsa' }],
  ['1.3.101.112', { hash: undefined, key_type: 'ed25519' }],
])
