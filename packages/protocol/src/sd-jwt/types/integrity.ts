import { createHash } from 'node:crypto'
import { decodeBase64, decodeBase64url } from '../../crypto/base64.ts'

/** From weak to strong. */
const algorithms = ['sha256', 'sha384', 'sha512'] as const
const maxCharacters = 512

type IntegrityHash = { strength: number; digest: Buffer }

/**
 * True if the bytes match a hash of the strongest algorithm in the integrity metadata (W3C Subresource Integrity §3.3.5). Where that
 * specification ignores metadata without a known algorithm, nothing matches here.
 */
export function matchesIntegrity(bytes: Uint8Array, integrity: string): boolean {
  const hashes = readHashes(integrity)
  const strongest = Math.max(...hashes.map(({ strength }) => strength))
  const algorithm = algorithms[strongest]
  if (algorithm === undefined) return false
  const actual = createHash(algorithm).update(bytes).digest()
  return hashes.some(({ strength, digest }) => strength === strongest && digest.equals(actual))
}

/** True for integrity metadata that something can match. */
export function isIntegrity(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxCharacters && readHashes(value).length > 0
}

/** The specification writes base64. Examples of SD-JWT VC write base64url as well. */
function readHashes(integrity: string): IntegrityHash[] {
  return integrity.split(/\s+/).flatMap((entry) => {
    const [hash = ''] = entry.split('?')
    const strength = algorithms.findIndex((algorithm) => hash.startsWith(`${algorithm}-`))
    const text = hash.slice(hash.indexOf('-') + 1)
    const digest = decodeBase64(text) ?? decodeBase64url(text)
    return strength < 0 || digest === undefined ? [] : [{ strength, digest }]
  })
}
