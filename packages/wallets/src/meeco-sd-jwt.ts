import { createHash, sign } from 'node:crypto'
import { issueSDJWT, SDJsonpath } from '@meeco/sd-jwt'
import type { SigningKey } from '@vidimus/sandbox'
import { SignJWT } from 'jose'
import { pid, publicJwk, type IssueOptions } from './credential.ts'
import type { KeyBindingOptions } from './sd-jwt-js.ts'

/** Issues with `@meeco/sd-jwt`. Its default `typ` is for plain SD-JWT, so the SD-JWT VC `typ` is passed in. */
export async function issueWithMeeco({ issuer, holderKey, now }: IssueOptions): Promise<string> {
  const { key, chain } = issuer.signers.pid
  const seconds = Math.floor(now.getTime() / 1000)
  return issueSDJWT(
    {
      alg: 'ES256',
      typ: 'dc+sd-jwt',
      x5c: chain.map((certificate) => Buffer.from(certificate).toString('base64')),
    },
    { ...structuredClone(pid.claims), vct: pid.type, iat: seconds, exp: seconds + 86_400 },
    structuredClone<object>(pid.disclosureFrame),
    {
      signer: async (header, payload) => {
        const signed = [header, payload].map((part) =>
          Buffer.from(JSON.stringify(part)).toString('base64url'),
        )
        return sign('sha256', Buffer.from(signed.join('.')), {
          key: key.private_key,
          dsaEncoding: 'ieee-p1363',
        }).toString('base64url')
      },
      hash: { alg: 'sha-256', callback: sha256 },
      cnf: { jwk: publicJwk(holderKey) },
    },
  )
}

/** Selects disclosures with `@meeco/sd-jwt` and signs the key binding with `jose`. */
export async function presentWithMeeco(
  credential: string,
  { client_id, nonce }: KeyBindingOptions,
  holderKey: SigningKey,
): Promise<string> {
  const disclosed = await SDJsonpath.getJWT(
    credential,
    ['given_name', 'address.locality'],
    async () => sha256,
  )
  const keyBinding = await new SignJWT({ nonce, sd_hash: sha256(disclosed) })
    .setProtectedHeader({ alg: 'ES256', typ: 'kb+jwt' })
    .setIssuedAt()
    .setAudience(client_id)
    .sign(holderKey.private_key)
  return disclosed + keyBinding
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
