import { createPrivateKey } from 'node:crypto'
import type { IdTokenAlgorithm } from '@vidimus/contract'
import { SignJWT } from 'jose'
import type { Context } from '../../../engine/context.ts'
import { signingKeyUse } from '../issuer/make-keys.ts'
import { readSigningKey } from '../issuer/store.ts'
import { tokenLifetime_seconds } from '../lifetimes.ts'
import { toSeconds } from './render-claims.ts'

export type IdToken = {
  tenant_id: string
  issuer: string
  client_id: string
  algorithm: IdTokenAlgorithm
  claims: Record<string, unknown>
}

/** Signs an ID token with the newest key of the tenant. The time is the database's. */
export async function signIdToken(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { tenant_id, issuer, client_id, algorithm, claims }: IdToken,
): Promise<string> {
  const key = await readSigningKey(db, { tenant_id, algorithm })
  if (key === undefined) throw new Error(`The issuer has no key for ${algorithm}.`)
  const der = await keyring.unseal(signingKeyUse, key.sealed)
  const now = toSeconds(key.now)
  return new SignJWT({ ...claims, iss: issuer, aud: client_id, iat: now, exp: now + tokenLifetime_seconds })
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'JWT' })
    .sign(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}
