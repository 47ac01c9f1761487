import {
  certify,
  createAuthority,
  generateSigningKey,
  keyUsage,
  validityAround,
  type Authority,
  type Wallet,
} from '@vidimus/sandbox'

export type State = {
  /** The certificate to trust. */
  authority: Authority
  /** Has a wallet's PID issued by this state, to the person with a number, by a signer that was just certified. */
  issueTo(number: string, signer?: SignerName): NonNullable<Wallet['alterations']>
}
type SignerName = { country?: string; organization?: string }

/** A state that issues PIDs in both formats, without revocation. Its credentials say that they come from Utopia. */
export function newState(country: string): State {
  const validity = validityAround(new Date(), 30, 335)
  const authority = createAuthority({
    ...validity,
    name: { country, common_name: `PID authority of ${country}` },
    path_length: 0,
  })
  const certifySigner = (named: SignerName) => {
    const key = generateSigningKey()
    const name = { country, common_name: `PID signer ${crypto.randomUUID().slice(0, 8)}`, ...named }
    const leaf = certify(authority, { ...validity, name, key, extensions: [keyUsage('digital_signature')] })
    return { key, chain: [leaf] }
  }
  return {
    authority,
    issueTo: (personal_administrative_number, signer = {}) => ({
      credential: (given) => {
        if (given.format === 'dc+sd-jwt')
          return { ...given, claims: { ...given.claims, personal_administrative_number } }
        const claims = Object.entries(given.claims).map(
          ([namespace, elements]) => [namespace, { ...elements, personal_administrative_number }] as const,
        )
        return { ...given, claims: Object.fromEntries(claims) }
      },
      signer: () => certifySigner(signer),
      issuer_payload: ({ status: _status, ...payload }) => payload,
      mso: (mso) => new Map([...mso].filter(([name]) => name !== 'status')),
    }),
  }
}
