import { call } from '../api/call.ts'
import { lastCell } from '../shell/tenants.ts'

type PasskeyOptions = Record<string, unknown>

/** A cell that does not respond in this time gives no challenge: its members could not sign in anyway. */
const maxWait_ms = 1500

/**
 * Options for a passkey of any cell. Nobody knows the person's cell before the passkey is chosen, so the challenges of all cells are joined into
 * one; the passkey's answer then reaches its cell, which looks for its own challenge.
 */
export async function startPasskeySignIn(cells: readonly string[] | undefined): Promise<PasskeyOptions> {
  if (cells === undefined) return (await call('startPasskeySignIn', {})).options
  const offers = await Promise.allSettled(
    cells.map((cell) => call('startPasskeySignIn', { query: { cell } }, AbortSignal.timeout(maxWait_ms))),
  )
  const options = offers.flatMap((offer) => (offer.status === 'fulfilled' ? [offer.value.options] : []))
  if (options.length === 0) return (await call('startPasskeySignIn', {})).options
  return { ...options[0], challenge: joinChallenges(options.map(({ challenge }) => String(challenge))) }
}

/**
 * Starts a sign-in with the identity provider. Which cell knows the person turns out afterwards, so the cells are tried one after the other,
 * the last one used first; the provider asks only once.
 */
export async function startProviderSignIn(cells: readonly string[], return_to: string): Promise<void> {
  const [cell, ...rest] = cells
  sessionStorage.setItem(cellsToTryKey, JSON.stringify({ cells: rest, return_to }))
  const { location: provider } = await call('startOidcSignIn', {
    query: { cell },
    json: { return_to },
  })
  location.assign(provider)
}

/** The order in which cells are tried. `except` is the one that the person is signed in to already. */
export function orderCells(cells: readonly string[] | undefined, except: string | undefined): string[] {
  const last = lastCell()
  const candidates = (cells ?? []).filter((cell) => cell !== except)
  return [...candidates.filter((cell) => cell === last), ...candidates.filter((cell) => cell !== last)]
}

/** The cells that a sign-in with the provider has not tried yet. They are returned once. */
export function takeCellsToTry(): { cells: string[]; return_to: string } {
  const stored = sessionStorage.getItem(cellsToTryKey)
  sessionStorage.removeItem(cellsToTryKey)
  const none = { cells: [], return_to: '/dashboard/' }
  return stored === null ? none : (JSON.parse(stored) as typeof none) // startProviderSignIn wrote it
}

const cellsToTryKey = 'cells_to_try'

function joinChallenges(challenges: readonly string[]): string {
  const bytes = challenges.map((text) => atob(text.replaceAll('-', '+').replaceAll('_', '/'))).join('')
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
