/** How a session can end, as far as the holder's browser may know. */
export type Outcome = 'completed' | 'declined' | 'try_again' | 'not_accepted' | 'expired'
type Phase = 'pending' | 'opened' | Outcome

/** What `GET /verify/{id}/session` returns. It never contains a claim or an error code. */
export type HolderSession = {
  phase: Phase
  now: string
  expires_at: string
  /** Whether the session belongs to the test environment. */
  test: boolean
  /** The language of its texts. */
  lang: string
  merchant: { name: string; colour?: string }
  purpose?: string
  /** Opens a wallet on this device. Only while the session is open, like the eight members that follow. */
  wallet_uri?: string
  /** The same link with each of the merchant's schemes: a wallet may know only some of them. */
  links?: NamedLink[]
  wallets?: Wallet[]
  /** The countries of these wallets, and that of the holder, if it is one of them. */
  countries?: { code: string; name: string }[]
  country?: string
  /** The content of the QR code. Absent if the result is held back until the redirect. */
  screen_uri?: string
  /** Opens the EU age-verification app. */
  age_app_uri?: string
  /** The content of the QR code for that app. */
  age_app_screen_uri?: string
  /** Whether this origin may use the Digital Credentials API. */
  dc_api?: boolean
  /** The merchant's page, without a code. Only at the end. */
  return_url?: string
}

export type NamedLink = { name: string; uri: string }

/** A wallet that holders can choose by name. Without countries it is used everywhere. `stores`: where this device can get it. */
export type Wallet = NamedLink & { countries?: string[]; stores?: NamedLink[] }

export function isOutcome(phase: string): phase is Outcome {
  return phase !== 'pending' && phase !== 'opened'
}
