import { InputError } from './input-error.ts'

/** How far the clocks of wallet and issuer may be off. */
export const maxClockSkew_seconds = 60

type Claims = Record<string, unknown>

/** `nbf` and `exp` are numbers, or not there (RFC 7519 §4.1.4, §4.1.5). Throws a Fault. */
export function expectNumericDates({ nbf = 0, exp = 0 }: Claims): void {
  if (typeof nbf !== 'number' || typeof exp !== 'number') throw new InputError('nbf or exp is not a number')
}

/** Why a credential or proof whose times can be read is not valid now; undefined when it is. */
export function findLifetimeError({ nbf, exp }: Claims, now: number): string | undefined {
  if (typeof exp === 'number' && now >= exp + maxClockSkew_seconds) return 'it has lapsed'
  if (typeof nbf === 'number' && now < nbf - maxClockSkew_seconds) return 'it is not valid yet'
  return undefined
}
