import { InputError } from './input-error.ts'

/** The tolerated difference between our clock and those of wallets and issuers. */
export const maxClockSkew_seconds = 60

type Claims = Record<string, unknown>

/** `nbf` and `exp` are numbers or absent (RFC 7519 §4.1.4, §4.1.5). Throws an InputError. */
export function expectNumericDates({ nbf = 0, exp = 0 }: Claims): void {
  if (typeof nbf !== 'number' || typeof exp !== 'number') throw new InputError('nbf or exp is not a number')
}

/** Why a credential or proof is not valid now; undefined if it is. */
export function findLifetimeError({ nbf, exp }: Claims, now: number): string | undefined {
  if (typeof exp === 'number' && now >= exp + maxClockSkew_seconds) return 'it has expired'
  if (typeof nbf === 'number' && now < nbf - maxClockSkew_seconds) return 'it is not valid yet'
  return undefined
}
