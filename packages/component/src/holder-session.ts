/** How a session can end, as far as the holder's browser may know. */
export type Outcome = FailedOutcome | 'completed' | 'expired' | 'cancelled' | 'used'
type FailedOutcome = 'declined' | 'try_again' | 'not_accepted'
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
  merchant: {
    name: string
    legal_name?: string
    intermediary?: string
    colour?: string
    privacy_url?: string
  }
  purpose?: string
  /** What is requested: in a few words, in one line, and in full. */
  headline: string
  summary: string
  asks: { documents: string[]; claims: string[]; optional: boolean }[]
  retention: string
  /** The last response, if it failed. While more are accepted, the session stays open. */
  attempt?: Attempt
  /** The merchant's other way to verify. */
  alternative_url?: string
  /** Opens a wallet on this device. Only while the session is open, like the nine members that follow. */
  wallet_uri?: string
  /** The same link with each of the merchant's schemes: a wallet may know only some of them. */
  links?: NamedLink[]
  wallets?: Wallet[]
  /** The countries of these wallets, and that of the holder, if it is one of them. */
  countries?: { code: string; name: string }[]
  country?: string
  /** The content of the QR code. Absent if the result is held back until the redirect. */
  screen_uri?: string
  /** The QR code comes from the event stream; `screen_uri` is only the first one. */
  moving_code?: boolean
  /** Opens the EU age-verification app. */
  age_app_uri?: string
  /** The content of the QR code for that app. */
  age_app_screen_uri?: string
  /** Whether this origin may use the Digital Credentials API. */
  dc_api?: boolean
  /** The merchant's page, without a code. Only at the end. */
  return_url?: string
  /** The hosted page has a card with a code by which the holder can have it deleted. */
  card?: boolean
  /** The holder asks for deletion: the merchant gets nothing, and `retention` says what happens instead. The card has a reference. */
  done?: { title: string; card: string }
  /** After a verification link: what the merchant sees too. Only once it completed. */
  confirmation_code?: string
}

export type Attempt = {
  outcome: FailedOutcome
  reason?: 'expired' | 'withdrawn' | 'unknown_issuer'
  /** How many more are accepted. */
  left: number
}

/** What the QR code contains now. */
export type MovedCode = { uri: string }

export type NamedLink = { name: string; uri: string }

/** A wallet that holders can choose by name. Without countries it is used everywhere. `stores`: where this device can get it. */
export type Wallet = NamedLink & { countries?: string[]; stores?: NamedLink[] }

export function isOutcome(phase: string): phase is Outcome {
  return phase !== 'pending' && phase !== 'opened'
}
