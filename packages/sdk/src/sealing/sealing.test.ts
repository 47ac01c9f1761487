import { readFileSync } from 'node:fs'
import { GeneralEncrypt, importJWK } from 'jose'
import { expect, test } from 'vitest'
import { SealedResultError } from '../errors.ts'
import { sealing } from '../index.ts'
import type { SealedText } from '../types.ts'
import type { SealingPrivateJwk } from './private-key.ts'

type Vectors = {
  keys: Record<string, SealingPrivateJwk>
  cases: {
    name: string
    verification: { id: string; claims: Record<string, unknown> }
    key: string
    claims?: Record<string, unknown>
    reason?: string
  }[]
}
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../vectors/sealed-results.json', import.meta.url), 'utf8'),
)

test.each(vectors.cases)(
  '[SEAL-5] published vector: $name',
  async ({ verification, key, claims, reason }) => {
    const privateKey = vectors.keys[key]
    if (privateKey === undefined) throw new Error(`there is no key ${key}`)
    const outcome = await sealing.openResult(verification, privateKey).then(
      (opened) => ({ claims: opened.claims }),
      (error: SealedResultError) => ({ name: error.name, reason: error.reason }),
    )
    expect(outcome).toEqual(reason === undefined ? { claims } : { name: 'SealedResultError', reason })
  },
)

async function seal(payload: object, jwks: object[]): Promise<SealedText> {
  const encrypting = new GeneralEncrypt(new TextEncoder().encode(JSON.stringify(payload))).setProtectedHeader(
    {
      enc: 'A256GCM',
    },
  )
  for (const { publicJwk, kid } of jwks as Awaited<ReturnType<typeof sealing.createKey>>[])
    encrypting
      .addRecipient(await importJWK(publicJwk, 'ECDH-ES+A256KW'))
      .setUnprotectedHeader({ alg: 'ECDH-ES+A256KW', kid })
  return (await encrypting.encrypt()) as SealedText // with all members that the service sends
}

const payload = { id: 'vs_1', claims: { family_name: 'Łukasz-Ünal' }, credentials: [] }

test('[SEAL-5] each of several keys opens it, as a JWK or kept by WebCrypto, and any other does not', async () => {
  const [first, second, other] = await Promise.all([
    sealing.createKey(),
    sealing.createKey(),
    sealing.createKey(),
  ])
  for (const recipients of [[first], [first, second]]) {
    const verification = { id: 'vs_1', claims: { _sealed: await seal(payload, recipients) } }
    for (const { privateJwk, kid } of recipients) {
      const kept = await crypto.subtle.importKey(
        'jwk',
        privateJwk,
        { name: 'ECDH', namedCurve: 'P-256' },
        false,
        ['deriveBits'],
      )
      for (const key of [privateJwk, { kid, privateKey: kept }])
        expect((await sealing.openResult(verification, [other.privateJwk, key])).claims).toEqual(
          payload.claims,
        )
    }
    await expect(sealing.openResult(verification, other.privateJwk)).rejects.toMatchObject({
      reason: 'no_key',
      message: expect.stringContaining(first.kid),
    })
  }
})

test('[SEAL-5] one changed character anywhere, and the result of another verification, are refused', async () => {
  const key = await sealing.createKey()
  const sealed = await seal(payload, [key])
  const change = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
  for (const member of ['protected', 'iv', 'ciphertext', 'tag'] as const) {
    const changed = { ...sealed, [member]: change(sealed[member]) }
    await expect(sealing.openText(changed, key.privateJwk)).rejects.toBeInstanceOf(SealedResultError)
  }
  const [recipient] = sealed.recipients
  if (recipient === undefined) throw new Error('there is no recipient')
  const rewrapped = { ...recipient, encrypted_key: change(recipient.encrypted_key) }
  await expect(
    sealing.openText({ ...sealed, recipients: [rewrapped] }, key.privateJwk),
  ).rejects.toMatchObject({ reason: 'damaged' })
  await expect(
    sealing.openResult({ id: 'vs_2', claims: { _sealed: sealed } }, key.privateJwk),
  ).rejects.toMatchObject({ reason: 'other_verification' })
})

test('what is not sealed is returned as it is', async () => {
  const verification = { id: 'vs_1', claims: { age_over_18: true } }
  expect(await sealing.openResult(verification, [])).toBe(verification)
})
