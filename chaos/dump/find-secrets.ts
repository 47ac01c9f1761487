/** A secret that was issued, and what kind it is. */
export type Secret = { kind: string; text: string }

/** The ways in which a secret can lie in a text. */
export const forms = {
  raw: (bytes: Buffer) => [bytes.toString('latin1')],
  hex: (bytes: Buffer) => [bytes.toString('hex')],
  base64: (bytes: Buffer) => shifted(bytes, 'base64'),
  base64url: (bytes: Buffer) => shifted(bytes, 'base64url'),
} satisfies Record<string, (bytes: Buffer) => string[]>

/** Which secrets a text holds, and in which form. Letter case makes no difference: a code is read aloud. */
export function findSecrets(text: string, secrets: readonly Secret[]): { kind: string; form: string }[] {
  const hay = text.toLowerCase()
  return secrets.flatMap(({ kind, text: secret }) =>
    contentsOf(secret).flatMap((bytes) =>
      Object.entries(forms)
        .filter(([, spell]) => spell(bytes).some((needle) => hay.includes(needle.toLowerCase())))
        .map(([form]) => ({ kind, form })),
    ),
  )
}

const shortest = 8

/** The secret as it was shown, without its dashes and its prefix, and the bytes that it spells. */
function contentsOf(secret: string): Buffer[] {
  const bare = secret.replace(/^(?:vk_test_|vk_live_|vdr_|vd_|whsec_|VD-)/, '')
  const plain = bare.replaceAll('-', '')
  const spelt = Buffer.from(bare, /^[0-9a-f]+$/.test(bare) ? 'hex' : 'base64url')
  return [Buffer.from(secret), Buffer.from(bare), Buffer.from(plain), spelt].filter(
    ({ length }) => length >= shortest,
  )
}

/** Base64 of bytes that lie anywhere in others: what does not depend on the neighbours, for each of the three places. */
function shifted(bytes: Buffer, encoding: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((ahead) => {
    const whole = Buffer.concat([Buffer.alloc(ahead), bytes])
      .toString(encoding)
      .replaceAll('=', '')
    const begins = Math.ceil((ahead * 8) / 6)
    const ends = Math.floor(((ahead + bytes.length) * 8) / 6)
    return whole.slice(begins, ends)
  })
}
