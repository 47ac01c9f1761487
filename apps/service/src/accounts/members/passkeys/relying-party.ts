import type { Config } from '../../../engine/config/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'

/** The relying party of every passkey: this host and origin. */
export function relyingParty({ BASE_URL }: Pick<Config, 'BASE_URL'>): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(BASE_URL)
  return { rpID: hostname, origin }
}

/** The same refusal for every failure: unknown passkey, wrong signature, used or expired challenge. */
export function signInFailed(): Refusal {
  return new Refusal('sign_in_failed', 'Sign-in failed. Try again, or ask for a new link.')
}
