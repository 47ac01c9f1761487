import type { Config } from '../../../engine/config/index.ts'
import { clearCookie, readCookie, writeCookie } from '../../../engine/formats/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { cellOfToken } from '../../sign-in/tokens.ts'

type CookieConfig = Pick<Config, 'BASE_URL' | 'CELL' | 'CELLS'>

/** The longest possible session. The database decides when one ends. */
const maxSession_seconds = 12 * 3600

/**
 * The cookies after a sign-in. A session of another cell that the browser had is kept beside the new one, so that a member of tenants in two
 * cells can switch; nothing but that cell could end it.
 */
export function cookiesAfterSignIn(
  config: CookieConfig,
  token: string,
  header: string | undefined,
): string[] {
  const previous = readCookie(config, 'session', header)
  return [
    writeSession(config, 'session', token),
    ...keepAside(config, previous, config.CELL),
    ...forgetAside(config, config.CELL, header),
  ]
}

/** The cookies after a switch to the session that was kept of another cell. That cell decides whether it is still valid. */
export function cookiesAfterSwitch(config: CookieConfig, cell: string, header: string | undefined): string[] {
  const kept =
    config.CELLS?.includes(cell) === true ? readCookie(config, `session_${cell}`, header) : undefined
  if (kept === undefined || cellOfToken(kept) !== cell)
    throw new Refusal('not_signed_in', 'Sign in to continue.')
  return [
    writeSession(config, 'session', kept),
    ...keepAside(config, readCookie(config, 'session', header), cell),
    ...forgetAside(config, cell, header),
  ]
}

/** Keeps a session, unless it is of the cell whose session takes its place. */
function keepAside(config: CookieConfig, token: string | undefined, newCell: string): string[] {
  const cell = token === undefined ? undefined : cellOfToken(token)
  if (token === undefined || cell === undefined || cell === newCell || config.CELLS?.includes(cell) !== true)
    return []
  return [writeSession(config, `session_${cell}`, token)]
}

function forgetAside(config: CookieConfig, cell: string, header: string | undefined): string[] {
  return readCookie(config, `session_${cell}`, header) === undefined
    ? []
    : [clearCookie(config, `session_${cell}`)]
}

function writeSession(config: CookieConfig, name: 'session' | `session_${string}`, value: string): string {
  return writeCookie(config, name, { value, max_age_seconds: maxSession_seconds })
}
