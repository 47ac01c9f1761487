import type { SignInMethods } from '@vidimus/contract'
import { appendAudit } from '../../../audit/index.ts'
import { type Member, Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import type { LedgerEntry } from '../../../engine/ledger/index.ts'
import type { AccountsContext } from '../../context.ts'
import { hashToken, newToken } from '../../sign-in/tokens.ts'
import { type MemberRow, lockMemberForUpdate } from '../store.ts'
import { deleteSession, insertSession } from './store.ts'

/** The number of browsers in which one member can be signed in. */
export const maxSessions = 20

/** What is known of the browser that signs in. */
export type SignInClient = {
  /** The session in its cookie so far. It ends, against session fixation. */
  previousSession: string | undefined
  /** In words, such as `Firefox, Windows`. */
  browser: string | undefined
}

type OpenSession = Partial<SignInClient> & {
  member: Member
  method: 'passkey' | 'oidc' | 'link'
  /** Whether the person has just authenticated; a provider may have used an existing session instead. */
  confirmed: boolean
  /** What the transaction ended before, for the ledger: an invitation, other sessions. */
  ended?: readonly LedgerEntry[]
}

/** Signs a member in, as the last step of the transaction that authenticated them. Returns the token for the cookie. */
export async function openSession(
  { config, ledger }: Pick<Context, 'config' | 'ledger'>,
  tx: Db,
  { member, method, confirmed, previousSession, browser, ended = [] }: OpenSession,
): Promise<string> {
  const { token, token_hash } = newToken(config)
  const { tenant_id, member_id } = member
  // Exclusively, because the member's row is written below: two sign-ins with a shared lock would wait for each other.
  if (!(await lockMemberForUpdate(tx, { tenant_id, id: member_id })))
    throw new Refusal('not_signed_in', 'Sign in to continue.')
  const previous = previousSession === undefined ? undefined : hashToken(previousSession)
  const replaced =
    previous !== undefined && (await deleteSession(tx, previous)) ? [toEndedSession(previous)] : []
  await insertSession(tx, {
    token_hash,
    tenant_id,
    member_id,
    method,
    confirmed,
    browser,
    max: maxSessions,
  })
  await appendAudit(tx, { action: 'member.signed_in', by: member, detail: { method } })
  const entries = [...ended, ...replaced]
  if (entries.length > 0) await ledger.record(tx, entries)
  return token
}

export function memberFromRow({
  tenant_id,
  id,
  name,
  role,
}: Pick<MemberRow, 'tenant_id' | 'id' | 'name' | 'role'>): Member {
  return { kind: 'member', tenant_id, member_id: id, name, role }
}

/** What the ledger records of a session that ended before its time. */
export function toEndedSession(token_hash: Buffer): LedgerEntry {
  return { kind: 'member_session', id: token_hash.toString('hex') }
}

/** In the order in which they are looked for: most browsers also name the ones that they descend from. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** What a member recognises a browser by, such as `Firefox, Windows`, from fixed lists: of the header itself nothing is kept. */
export function describeBrowser(userAgent: string | undefined): string | undefined {
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([mark]) => userAgent?.includes(mark) === true)?.[1]
  const named = [find(browsers), find(systems)].filter((name) => name !== undefined)
  return named.length === 0 ? undefined : named.join(', ')
}

export function signInMethods({ oidc, config }: Pick<AccountsContext, 'oidc' | 'config'>): SignInMethods {
  const common = {
    ...(config.CELLS !== undefined && { cells: config.CELLS }),
    ...(config.SIGN_UP !== 'off' && { sign_up: config.SIGN_UP }),
  }
  if (oidc === undefined || config.OIDC_ISSUER === undefined) return { passkey: true, oidc: false, ...common }
  return { passkey: true, oidc: true, oidc_host: new URL(config.OIDC_ISSUER).host, ...common }
}
