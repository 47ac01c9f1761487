import { createHash } from 'node:crypto'
import { unaltered, type Alter, type PresentationDrafts } from '../alterations.ts'
import type { Disclosure } from '../issuer/create-disclosures.ts'
import type { SdJwtCredential } from '../issuer/issue-sd-jwt.ts'
import { unixSeconds } from '../issuer/validity-period.ts'
import { signJws } from '../keys/sign-jws.ts'
import type { SigningKey } from '../keys/signing-key.ts'
import type { VerificationBinding } from './authorization-request.ts'
import type { ConcretePath } from './dcql.ts'
import { keyBindingAudience } from './verification-binding.ts'

export type PresentOptions = {
  holder_key: SigningKey
  disclosed: readonly ConcretePath[]
  verification: VerificationBinding
  now: Date
  alter?: Alter<PresentationDrafts>
}

/** Presents an SD-JWT VC with key binding (RFC 9901 §4.3, OpenID4VP 1.0 annex B.3.6). */
export function presentSdJwt(credential: SdJwtCredential, options: PresentOptions): string {
  const { holder_key, verification, now, alter = unaltered } = options
  const disclosed = alter('disclosed', options.disclosed)
  const texts = credential.disclosures
    .filter((disclosure) => disclosed.some((path) => isNeededFor(disclosure, path)))
    .map(({ encoded }) => encoded)
  const sdJwt = [credential.issuer_jwt, ...alter('disclosures', texts), ''].join('~')

  const key = alter('proof_key', holder_key)
  const binding = alter('verification', verification)
  const header = { alg: key.algorithm, typ: 'kb+jwt' }
  const payload = {
    ...('nonce' in binding && { nonce: binding.nonce }),
    aud: keyBindingAudience(binding),
    iat: unixSeconds(now),
    sd_hash: createHash('sha256').update(sdJwt).digest('base64url'),
  }
  return sdJwt + alter('kb_jwt', signJws(alter('kb_header', header), alter('kb_payload', payload), key))
}

/** Whether a disclosure is needed to disclose the claim at `path`: it is that claim, an ancestor or a descendant. */
function isNeededFor({ path: disclosurePath }: Disclosure, path: ConcretePath): boolean {
  return disclosurePath.slice(0, path.length).every((step, index) => step === path[index])
}
