import { generateKeyPairSync } from 'node:crypto'
import type { Environment, PublicJwk, SealedText } from '@vidimus/contract'
import { calculateJwkThumbprint, generalDecrypt, importJWK, type GeneralJWE, type JWK } from 'jose'
import { registerSealingKey } from '../src/accounts/sealing-keys/register-key.ts'
import { activateSealingKeyIfPossible } from '../src/dashboard/activate-sealing-key.ts'
import type { Caller } from './caller.ts'
import type { Service } from './service.ts'

/** A key of a merchant, made with other code than the service's. */
export type MerchantKey = { kid: string; publicJwk: PublicJwk; privateJwk: JWK }

export async function newSealingKey(): Promise<MerchantKey> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const privateJwk = privateKey.export({ format: 'jwk' }) as JWK // an EC key
  const { x = '', y = '' } = privateJwk
  const publicJwk = { kty: 'EC', crv: 'P-256', x, y } as const
  return { kid: await calculateJwkThumbprint(publicJwk), publicJwk, privateJwk }
}

/** What was sealed to the key: a text, which is JSON in a result. */
export async function openWithKey(sealed: SealedText, { privateJwk }: MerchantKey): Promise<string> {
  const key = await importJWK(privateJwk, 'ECDH-ES+A256KW')
  const { plaintext } = await generalDecrypt(sealed as GeneralJWE, key)
  return new TextDecoder().decode(plaintext)
}

/** Registers a key over the API and answers its challenge. */
export async function activateKey(manager: Caller, key?: MerchantKey): Promise<MerchantKey> {
  const made = key ?? (await newSealingKey())
  const { body } = await manager.post('/v1/sealing_keys', { jwk: made.publicJwk })
  const challenge = await openWithKey(body.challenge, made)
  const { status, text } = await manager.post(`/v1/sealing_keys/${made.kid}/activate`, { challenge })
  if (status !== 200) throw new Error(`${status} ${text}`)
  return made
}

/** The same as a member, without the API. */
export async function prepareActivation(
  { ctx }: Pick<Service, 'ctx'>,
  by: Parameters<typeof registerSealingKey>[1]['by'],
  environment: Environment,
): Promise<{ kid: string; activate: () => Promise<unknown> }> {
  const key = await newSealingKey()
  const { challenge: sealed } = await registerSealingKey(ctx, { by, environment, jwk: key.publicJwk })
  const challenge = await openWithKey(sealed, key)
  return {
    kid: key.kid,
    activate: () => activateSealingKeyIfPossible(ctx, by, { environment, kid: key.kid, challenge }),
  }
}
