import type { Answer, Fault, Word } from './answer.ts'

export type TillDevice = { id: string; name: string; allowed_templates: readonly string[] }

/** One press of a button. Its key makes every repetition of the request the same verification. `pressed_ms` is monotonic. */
export type Check = { key: string; template: string; pressed_ms: number }

/** What the QR code needs, and how long it is valid from the press on, by the clock of the service. */
export type CheckSession = { id: string; wallet_uri: string; ttl_ms: number }

export type PairingProblem = 'wrong_code' | 'too_many' | 'connection_lost' | 'storage' | 'service'

/** `revoked`: the service no longer accepts the device. `lost`: the tab died or the connection broke in the middle of a refresh. */
export type PairingLoss = 'revoked' | 'lost'

export type Screen =
  | { name: 'starting' }
  | { name: 'other_tab' }
  | { name: 'unpaired'; problem?: PairingProblem }
  | { name: 'pairing'; code: string }
  /** Someone opened a pairing link on a paired till: a foreign link must not replace the pairing unasked. */
  | { name: 'replace_pairing'; device: TillDevice; code: string }
  | { name: 'ready'; device: TillDevice }
  | { name: 'asking'; device: TillDevice; check: Check; session?: CheckSession }
  | { name: 'answer'; device: TillDevice; check: Check; answer: Answer; portrait?: string }
  | { name: 'pair_again'; loss: PairingLoss; interrupted: boolean }

/** What is remembered of a check: no claims, no ids. `at` is in milliseconds, by the clock of the service. */
export type Outcome = { key: string; at: number; template: string; word: Word }

export type TillState = {
  screen: Screen
  online: boolean
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
  | { name: 'pressed'; check: Check }
  | { name: 'created'; key: string; session: CheckSession }
  | { name: 'answered'; key: string; at: number; answer: Answer; portrait?: string }
  | { name: 'stopped'; at: number }
  | { name: 'next' }
  | { name: 'portrait_removed' }
  | { name: 'device_changed'; device: TillDevice }
  | { name: 'went_offline' }
  | { name: 'went_online' }
  | { name: 'shift_ended' }

export const maxOutcomes = 10

export const initialState: TillState = {
  screen: { name: 'starting' },
  online: true,
  outcomes: [],
  withdrawn: [],
}

export const stopped: { word: 'not_checked'; reason: Fault } = { word: 'not_checked', reason: 'stopped' }
