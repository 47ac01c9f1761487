import { z } from 'zod'
import { text } from '../text.ts'
import { describe, queryBoolean, Timestamp } from '../values.ts'
import { EnvironmentName } from './values.ts'

/** Keys of a tenant in an environment that results are sealed to, or may be soon: each adds about 350 bytes to every result. */
export const maxSealingKeys = 5
/** Retired keys that are still listed, so that a result tells which key it was sealed to. */
export const maxRetiredSealingKeys = 20
/** Stored results of a key that are counted. */
export const maxCountedSealedResults = 1000
/** How long the challenge of a registered key can be answered. */
export const sealingChallenge_seconds = 3600

const exampleKid = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const exampleJwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}

/** The id of a key: its thumbprint (RFC 7638, SHA-256). */
export const SealingKeyId = describe(
  z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be the thumbprint of a key'),
  'The thumbprint of the key (RFC 7638 with SHA-256).',
  exampleKid,
)

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')
const publicMembers = {
  kty: describe(z.literal('EC'), 'The type of the key.', 'EC'),
  crv: describe(z.literal('P-256'), 'The curve.', 'P-256'),
  x: describe(coordinate, 'The first coordinate.', exampleJwk.x),
  y: describe(coordinate, 'The second coordinate.', exampleJwk.y),
}

export type PublicJwk = z.infer<typeof PublicJwk>
export const PublicJwk = z.strictObject(publicMembers).meta({ id: 'SealingJwk', examples: [exampleJwk] })

/** Other members of a JWK, such as `kid` and `use`, are allowed and ignored. */
const PublicJwkInput = z
  .looseObject(publicMembers)
  .refine(
    (jwk) => !('d' in jwk),
    'must be the public key: leave out d, and keep it where only you can read it',
  )
  .refine((jwk) => Object.keys(jwk).length <= 12, 'has too many members')
  .meta({ examples: [exampleJwk] })

export type SealedText = z.infer<typeof SealedText>
export const SealedText = z
  .strictObject({
    protected: describe(z.string(), 'The protected header, base64url.', 'eyJlbmMiOiJBMjU2R0NNIn0'),
    recipients: describe(
      z.array(
        z.strictObject({
          header: describe(
            z.record(z.string(), z.unknown()),
            'Which key it is for, and how its key is wrapped.',
            { kid: exampleKid },
          ).optional(),
          encrypted_key: describe(z.string(), 'The wrapped key, base64url.', '6vQ…'),
        }),
      ),
      'One for each key that opens it.',
      [{ header: { alg: 'ECDH-ES+A256KW', kid: exampleKid }, encrypted_key: '6vQ…' }],
    ),
    iv: describe(z.string(), 'base64url.', 'QmFzZTY0dXJsSVY'),
    ciphertext: describe(z.string(), 'base64url.', '5eym8…'),
    tag: describe(z.string(), 'base64url.', 'XFBoMYUZodetZdvTiFvSkQ'),
  })
  .meta({ id: 'SealedText' })

const KeyName = describe(text({ min: 1, max: 80 }), 'Its name, for your team.', 'Back office, 2026')

export type RegisterSealingKey = z.infer<typeof RegisterSealingKey>
export const RegisterSealingKey = z
  .strictObject({
    jwk: describe(PublicJwkInput, 'The public key, P-256, as a JWK.', exampleJwk),
    name: KeyName.optional(),
  })
  .meta({ id: 'RegisterSealingKey', examples: [{ jwk: exampleJwk, name: 'Back office, 2026' }] })

export type ActivateSealingKey = z.infer<typeof ActivateSealingKey>
export const ActivateSealingKey = z
  .strictObject({
    challenge: describe(
      text({ min: 1, max: 200 }),
      'The text of the challenge, opened with the private key.',
      'h3mXw8cVbq2yN5tKzL9rPdJf1gSh3mXw8cVbq2yN5tK',
    ),
  })
  .meta({ id: 'ActivateSealingKey' })

export type RetireSealingKey = z.infer<typeof RetireSealingKey>
export const RetireSealingKey = z.strictObject({
  end_sealing: describe(
    queryBoolean(),
    'Required for the last active key: from then on claims are stored unsealed.',
    false,
  ).optional(),
})

export type SealingKey = z.infer<typeof SealingKey>
export const SealingKey = z
  .strictObject({
    kid: SealingKeyId,
    environment: describe(EnvironmentName, 'The environment whose results are sealed to it.', 'test'),
    name: describe(z.string(), 'Its name, for your team.', 'Back office, 2026').optional(),
    state: describe(
      z.enum(['pending', 'active', 'retired']),
      '`pending` until the challenge is answered. `active`: results are sealed to it. `retired`: only earlier results are.',
      'active',
    ),
    jwk: describe(PublicJwk, 'The public key.', exampleJwk),
    created_at: describe(Timestamp, 'When it was registered.', '2026-11-15T09:00:00.123456Z'),
    activated_at: describe(
      Timestamp,
      'When the challenge was answered.',
      '2026-11-15T09:00:05.123456Z',
    ).optional(),
    retired_at: describe(Timestamp, 'When it was retired.', '2026-12-15T09:00:00.123456Z').optional(),
    results: describe(
      z.strictObject({
        count: describe(z.int().min(0), `Counted up to ${maxCountedSealedResults}.`, 128),
        more: describe(z.boolean(), 'Whether there may be more than were counted.', false),
      }),
      'Stored results that its private key opens. Nobody can read those that only a lost key opens. Present in lists.',
    ).optional(),
  })
  .meta({ id: 'SealingKey' })

export type SealingKeyList = z.infer<typeof SealingKeyList>
export const SealingKeyList = z
  .strictObject({ data: describe(z.array(SealingKey), 'Oldest first.') })
  .meta({ id: 'SealingKeyList' })

export type RegisteredSealingKey = z.infer<typeof RegisteredSealingKey>
export const RegisteredSealingKey = z
  .strictObject({
    key: SealingKey,
    challenge: describe(
      SealedText,
      `A text that only the private key opens (JWE, RFC 7516). Answer it within ${sealingChallenge_seconds / 60} minutes.`,
    ),
  })
  .meta({ id: 'RegisteredSealingKey' })
