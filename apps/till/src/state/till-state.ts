import type { TillSettings } from '@vidimus/sdk'
import type { Answer } from './answer.ts'

export type TillDevice = { id: string; name: string; allowed_templates: readonly string[] }

/** One press of a button. Its key makes every repetition of the request the same verification. `pressed_ms` is monotonic. */
export type Check = { key: string; template: string; pressed_ms: number; purpose?: string }

/** `wallet_uri` does not change, unlike the code. `ttl_ms` is how long it is open from the press on, by the clock of the service. */
export type OpenVerification = { id: string; wallet_uri: string; ttl_ms: number }

export type PairingProblem = 'wrong_code' | 'too_many' | 'connection_lost' | 'storage' | 'service'

/** `revoked`: the service no longer accepts the device. `lost`: the tab died or the connection broke in the middle of a refresh. */
export type PairingLoss = 'revoked' | 'lost'

export type PinPurpose = 'end_shift' | 'settings'

/** Why the PIN that was entered last did not do. `locked_until_ms` is monotonic. */
export type PinProblem =
  | { kind: 'wrong'; tries_left: number }
  | { kind: 'locked'; locked_until_ms: number }
  | { kind: 'not_checked' }

/** What lies over the home screen until it is closed or its time is up. */
export type Panel =
  | { name: 'outcomes' }
  | { name: 'settings' }
  | { name: 'pin'; purpose: PinPurpose; checking: boolean; problem?: PinProblem }

export type Screen =
  | { name: 'starting' }
  | { name: 'other_tab' }
  /** `code` is the one that was refused: it stays in the field. */
  | { name: 'unpaired'; problem?: PairingProblem; code?: string }
  | { name: 'pairing'; code: string }
  /** Someone opened a pairing link on a paired till: a foreign link must not replace the pairing unasked. */
  | { name: 'replace_pairing'; device: TillDevice; code: string }
  | { name: 'ready'; device: TillDevice; panel?: Panel }
  | AskingScreen
  | { name: 'compare'; device: TillDevice; check: Check; id: string; portrait: string }
  | { name: 'answer'; device: TillDevice; check: Check; answer: Answer }
  | { name: 'pair_again'; loss: PairingLoss; interrupted: boolean }

export type AskingScreen = {
  name: 'asking'
  device: TillDevice
  check: Check
  open?: OpenVerification
  /** The content of the QR code now. */
  code?: string
  /** A wallet has fetched the request: the code leaves the screen until someone wants it back. */
  scanned: boolean
  code_again: boolean
  /** A response failed, and the customer may try again. */
  failed_once: boolean
}

/** What is remembered of a check: no claims, no ids. `at` is in milliseconds, by the clock of the service. */
export type Outcome = {
  key: string
  at: number
  template: string
  answer: Answer
  /** The holder responded, but only after staff had ended the check. */
  late?: true
}

export type TillState = {
  screen: Screen
  online: boolean
  /** As set in the dashboard. Undefined until they were read for the first time; the last ones are stored, for a start without a connection. */
  settings?: TillSettings
  /** What staff chose on this till, instead of `settings.keep_awake`. */
  keep_awake?: boolean
  /** Newest first, at most `maxOutcomes`. */
  outcomes: readonly Outcome[]
  /** Templates that the service refused since the till was opened. */
  withdrawn: readonly string[]
}

export type TillEvent =
  | { name: 'other_tab_found' }
  | { name: 'handed_over' }
  | { name: 'opened_unpaired' }
  | { name: 'opened_paired'; device: TillDevice }
  | { name: 'pairing_lost'; loss: PairingLoss; at: number }
  | { name: 'code_entered'; code: string }
  | { name: 'link_opened'; code: string }
  | { name: 'pairing_kept' }
  | { name: 'paired'; device: TillDevice }
  | { name: 'pairing_failed'; problem: PairingProblem }
  | { name: 'settings_read'; settings: TillSettings }
  | { name: 'keep_awake_chosen'; keep_awake: boolean }
  | { name: 'pressed'; check: Check }
  | { name: 'created'; key: string; open: OpenVerification }
  | { name: 'code_changed'; key: string; code: string }
  | { name: 'phase_changed'; key: string; scanned: boolean; failed_once: boolean }
  | { name: 'code_wanted' }
  | { name: 'answered'; key: string; at: number; answer: Answer }
  | { name: 'photo_received'; key: string; id: string; portrait: string }
  | { name: 'compared'; at: number; same_person: boolean }
  | { name: 'photo_removed'; at: number; reason: 'not_compared' | 'photo_unreadable' }
  | { name: 'stopped'; at: number }
  /** The service refused to cancel a check, because the holder had responded before. */
  | { name: 'answered_late'; key: string }
  /** A check that was open when the till was closed has been ended. */
  | { name: 'interruption_found'; key: string; at: number; template: string; late: boolean }
  | { name: 'next' }
  | { name: 'device_changed'; device: TillDevice }
  | { name: 'went_offline' }
  | { name: 'went_online' }
  | { name: 'outcomes_opened' }
  | { name: 'settings_opened' }
  | { name: 'panel_closed' }
  | { name: 'shift_ended' }
  | { name: 'pin_entered' }
  | { name: 'pin_accepted' }
  | { name: 'pin_refused'; problem: PinProblem }

export const maxOutcomes = 10

export const initialState: TillState = {
  screen: { name: 'starting' },
  online: true,
  outcomes: [],
  withdrawn: [],
}
