import type { KeyObject } from 'node:crypto'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import type { Anchor } from '../presentation.ts'
import { trustListProfile } from '../x509/profiles.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { validatePath } from '../x509/validate-path.ts'

export type ListSigners = {
  /** The pinned certificates that may sign the list, or authorities above them. */
  signers: readonly Anchor[]
  /** Seconds since 1970. */
  now: number
}

/** The signer of a list, if it is pinned or has a valid path to a pinned authority. Throws an InputError. */
export function findListSigner(
  chain: readonly Uint8Array[],
  { signers, now }: ListSigners,
): { signer: Certificate; pinned: boolean } {
  const path = validatePath({ chain, anchors: signers, document_types: [], profile: trustListProfile, now })
  if (path.signer === undefined || path.anchor === undefined) {
    const [finding] = path.findings
    throw new InputError(`the signer of the trust list is not trusted: ${finding?.detail ?? ''}`)
  }
  return { signer: path.signer, pinned: path.signer.fingerprint === path.anchor.fingerprint }
}

/** The key of the signer, for a caller that verifies the list's signature itself. */
export function findListSignerKey(chain: readonly Uint8Array[], signers: ListSigners): ReadResult<KeyObject> {
  return catchInputError(() => {
    const { key } = findListSigner(chain, signers).signer
    if (key === undefined) throw new InputError('the key of the signer of the trust list is not supported')
    return key.key
  })
}
