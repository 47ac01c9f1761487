import type { KeyObject } from 'node:crypto'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import type { Anchor } from '../presentation.ts'
import { trustListProfile, type SignerProfile } from '../x509/profiles.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { validatePath } from '../x509/validate-path.ts'

export type ListSigners = {
  /** The pinned certificates that may sign the list, or authorities above signers whose certificates name that purpose. */
  signers: readonly Anchor[]
  /** Seconds since 1970. */
  now: number
}

/** The signer of a list, if it is pinned, or certified for such lists under a pinned authority. Throws an InputError. */
export function findListSigner(
  chain: readonly Uint8Array[],
  { signers, now }: ListSigners,
  profile: SignerProfile = trustListProfile,
): Certificate {
  const { signer, anchor, findings } = validatePath({
    chain,
    anchors: signers,
    document_types: [],
    profile,
    now,
  })
  if (signer !== undefined && anchor !== undefined) return signer
  const failed = findings.find(({ status }) => status === 'fail')
  throw new InputError(`the signer of the trust list is not trusted: ${failed?.detail ?? ''}`)
}

/** The key of the signer, for a caller that verifies the list's signature itself. */
export function findListSignerKey(chain: readonly Uint8Array[], signers: ListSigners): ReadResult<KeyObject> {
  return catchInputError(() => {
    const { key } = findListSigner(chain, signers)
    if (key === undefined) throw new InputError('the key of the signer of the trust list is not supported')
    return key.key
  })
}
