/** An issued secret and its kind. */
export type Secret = { kind: string; text: string }

/** The encodings in which a secret may appear in a text. */
export const encodings = {
  raw: (bytes: Buffer) => [bytes.toString('latin1')],
  hex: (bytes: Buffer) => [bytes.toString('hex')],
  base64: (bytes: Buffer) => encodeAtOffsets(bytes, 'base64'),
  base64url: (bytes: Buffer) => encodeAtOffsets(bytes, 'base64url'),
} satisfies Record<string, (bytes: Buffer) => string[]>

/** Finds the secrets that a text contains, in any encoding. Ignores letter case, because pairing codes do. */
export function findSecrets(text: string, secrets: readonly Secret[]): { kind: string; form: string }[] {
  const haystack = text.toLowerCase()
  return secrets.flatMap(({ kind, text: secret }) =>
    secretVariants(secret).flatMap((bytes) =>
      Object.entries(encodings)
        .filter(([, encode]) => encode(bytes).some((needle) => haystack.includes(needle.toLowerCase())))
        .map(([form]) => ({ kind, form })),
    ),
  )
}

const minLength_bytes = 8

/** The secret as displayed, without its prefix, without its dashes, and the bytes that it encodes. */
function secretVariants(secret: string): Buffer[] {
  const bare = secret.replace(/^(?:vk_test_|vk_live_|vdr_|vd_|whsec_|VD-)/, '')
  const plain = bare.replaceAll('-', '')
  const decoded = Buffer.from(bare, /^[0-9a-f]+$/.test(bare) ? 'hex' : 'base64url')
  return [Buffer.from(secret), Buffer.from(bare), Buffer.from(plain), decoded].filter(
    ({ length }) => length >= minLength_bytes,
  )
}

/** Base64 of bytes inside a longer value: the characters that do not depend on the neighbouring bytes, for each of the three alignments. */
function encodeAtOffsets(bytes: Buffer, encoding: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString(encoding)
      .replaceAll('=', '')
    const begins = Math.ceil((offset * 8) / 6)
    const ends = Math.floor(((offset + bytes.length) * 8) / 6)
    return whole.slice(begins, ends)
  })
}
