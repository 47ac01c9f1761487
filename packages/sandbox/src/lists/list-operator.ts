import { certify, createAuthority, validityAround, type Authority } from '../certificates/authority.ts'
import { extendedKeyUsage, keyUsage } from '../certificates/extensions.ts'
import type { Signer } from '../issuer/signer.ts'
import { generateSigningKey, type Algorithm } from '../keys/signing-key.ts'

/** The publisher of a list: an authority, and the signer that it certified. */
export type ListOperator = { readonly authority: Authority; readonly signer: Signer }

/** The extended key usage of a signer of VICALs (ISO/IEC 18013-5 §C.1.7.2). */
export const vicalPurpose = '1.0.18013.5.1.8'

/** The extended key usage of a signer of trusted lists (ETSI TS 119 612 §5.7.1). */
export const trustedListPurpose = '0.4.0.2231.3.0'

export type ListOperatorDraft = { name: string; now: Date; purpose?: string; algorithm?: Algorithm }

/** Creates the keys and certificates of a publisher of lists. */
export function createListOperator({ name, now, purpose, algorithm }: ListOperatorDraft): ListOperator {
  const authority = createAuthority({
    ...validityAround(now, 30, 365),
    name: { country: 'UT', common_name: `${name} Root` },
    path_length: 0,
  })
  const key = generateSigningKey(algorithm)
  const certificate = certify(authority, {
    ...validityAround(now, 30, 335),
    name: { country: 'UT', common_name: name },
    key,
    extensions: [
      keyUsage('digital_signature'),
      ...(purpose === undefined ? [] : [extendedKeyUsage(purpose, purpose === vicalPurpose)]),
    ],
  })
  return { authority, signer: { key, chain: [certificate] } }
}
