import { SealedResultError } from '../errors.ts'
import type { SealedText, Verification } from '../types.ts'
import { openText } from './open-text.ts'
import type { SealingPrivateKey } from './private-key.ts'

/**
 * A verification with the claims and credentials that were sealed to one of these keys. One that is not sealed is returned as it is. Throws a
 * SealedResultError if no key opens it, and if the result belongs to another verification.
 */
export async function openResult<Result extends Pick<Verification, 'id' | 'claims' | 'credentials'>>(
  verification: Result,
  keys: SealingPrivateKey | readonly SealingPrivateKey[],
): Promise<Result> {
  const sealed = verification.claims?.['_sealed']
  if (!isSealedText(sealed)) return verification
  const opened = JSON.parse(await openText(sealed, keys)) as Opened // it was encrypted to the key
  if (opened.id !== verification.id)
    throw new SealedResultError(
      'other_verification',
      `The sealed result belongs to ${opened.id}, not to ${verification.id}. Do not accept it.`,
    )
  // What is readable beside it can be changed, and is inside too.
  return { ...verification, claims: opened.claims, credentials: opened.credentials }
}

type Opened = Required<Pick<Verification, 'id' | 'claims' | 'credentials'>>

function isSealedText(value: unknown): value is SealedText {
  return typeof value === 'object' && value !== null && 'recipients' in value && 'ciphertext' in value
}
