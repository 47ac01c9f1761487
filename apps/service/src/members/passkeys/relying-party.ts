import type { Config } from '../../config.ts'
import { Refusal } from '../../platform/refusal.ts'

/** Who a passkey is made for: this host, on this origin. */
export function relyingParty({ BASE_URL }: Pick<Config, 'BASE_URL'>): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(BASE_URL)
  return { rpID: hostname, origin }
}

/** One answer for everything that can be wrong: an unknown passkey, a wrong signature, a challenge that is spent or late. */
export function signInFailed(): Refusal {
  return new Refusal('sign_in_failed', 'This did not work. Try again, or ask for a new link.')
}
