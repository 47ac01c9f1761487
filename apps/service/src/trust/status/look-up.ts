import type { Environment } from '@vidimus/contract'
import type { StatusListToken } from '@vidimus/protocol'
import type { Db } from '../../platform/db/open.ts'
import type { Egress } from '../../platform/egress/open.ts'
import { Refusal } from '../../platform/refusal.ts'
import { openSlots } from '../../platform/slots.ts'
import type { Sandbox } from '../sandbox/open.ts'
import { isSandboxUri } from '../sandbox/recognize.ts'
import { fetchStatusList } from './fetch.ts'
import { keepCopies, type Copy } from './keep-copies.ts'
import { keepList } from './keep-list.ts'
import { takeCopy, type CopyRow, type StatusListKey } from './store.ts'

/**
 * `now` in seconds since 1970, by the clock that the credential is verified with. `tenant_id` is whose verification needs the
 * list: what a look-up costs counts against that tenant.
 */
type StatusQuestion = { tenant_id: string; environment: Environment; uri: string; now: number }

/** `good_until` in seconds since 1970: until then nobody needs to be asked again. */
type FoundList = { token: StatusListToken; good_until: number }

/**
 * Undefined when the list cannot be had; rejects with a Refusal only, when the tenant has too many look-ups under way. The
 * token is the same object for as long as it is the same copy.
 */
export type LookUpStatus = (question: StatusQuestion) => Promise<FoundList | undefined>

/** Where a list was found, for the metrics. */
export type FoundAt = 'memory' | 'database' | 'issuer' | 'nowhere'

export type OpenStatusLists = {
  db: Db
  egress: Record<Environment, Egress>
  sandbox: Sandbox
  onLookUp?: (found: FoundAt) => void
}

/** How long a process goes without asking the database for a newer copy, and without asking an issuer who failed. */
const good_seconds = { copy: 60, failure: 5 }
const limits = { uri_characters: 2048 }
/**
 * Lists that are sought in the database and at their issuers at the same time. A tenant may trust an issuer of its own whose
 * hosts never answer. One answer of a wallet needs at most as many lists as it may have presentations.
 */
export const lookUpBounds = { maxLookUpsOfTenant: 20, maxLookUps: 200 }

/** Looks status lists up: in memory, in the database, which all processes share, and at the issuer, in this order. */
export function openStatusLists({ db, egress, sandbox, onLookUp = () => {} }: OpenStatusLists): LookUpStatus {
  const copies = keepCopies()
  const underWay = new Map<string, Promise<FoundList | undefined>>()
  const slots = openSlots({ each: lookUpBounds.maxLookUpsOfTenant, all: lookUpBounds.maxLookUps })

  return async ({ tenant_id, environment, uri, now }) => {
    const address = addressOf(uri)
    if (address === undefined) return undefined
    const name = `${environment} ${address}`
    const copy = copies.get(name)
    if (copy !== undefined && now < copy.good_until) {
      onLookUp(copy.token === undefined ? 'nowhere' : 'memory')
      return foundIn(copy)
    }
    const sought = underWay.get(name) ?? begin(name, { tenant_id, environment, uri: address, now }, copy)
    return sought
  }

  function begin(name: string, question: StatusQuestion, held: Copy | undefined) {
    const free = slots.take(question.tenant_id)
    if (typeof free === 'string')
      throw new Refusal('overloaded', 'Too many status lists are being fetched. Try again in a moment.', 1)
    const sought = seek(question, held)
      .then(({ copy, found }) => {
        copies.set(name, copy)
        onLookUp(found)
        return foundIn(copy)
      })
      // The database is away, and with it the transaction that would need the answer.
      .catch(() => undefined)
      .finally(() => {
        underWay.delete(name)
        free()
      })
    underWay.set(name, sought)
    return sought
  }

  async function seek(
    question: StatusQuestion,
    held: Copy | undefined,
  ): Promise<{ copy: Copy; found: FoundAt }> {
    const { uri, environment, now } = question
    if (isSandboxUri(uri)) {
      const token = environment === 'test' ? await sandbox.statusList(uri, now) : undefined
      return {
        copy: passing(token, now + good_seconds.copy),
        found: token === undefined ? 'nowhere' : 'memory',
      }
    }
    const shared = await takeShared(question, held)
    if (shared !== undefined) return { copy: shared, found: 'database' }

    const token = await fetchStatusList(egress[environment], uri)
    if (token === undefined) return { copy: passing(undefined, now + good_seconds.failure), found: 'nowhere' }
    return keep(question, token)
  }

  async function keep(
    question: StatusQuestion,
    token: StatusListToken,
  ): Promise<{ copy: Copy; found: FoundAt }> {
    const { now } = question
    const { kept } = await keepList(db, keyOf(question), token)
    switch (kept) {
      case 'not':
        return { copy: passing(token, now + good_seconds.failure), found: 'issuer' }
      case 'outdated': {
        const later = await takeShared(question, undefined)
        if (later !== undefined) return { copy: later, found: 'database' }
        return { copy: passing(undefined, now + good_seconds.failure), found: 'nowhere' }
      }
      default:
        return { copy: copyOf(token, kept, now), found: 'issuer' }
    }
  }

  async function takeShared(question: StatusQuestion, held: Copy | undefined): Promise<Copy | undefined> {
    const row = await takeCopy(db, { ...keyOf(question), held: held?.fetched_at ?? null })
    if (row === undefined) return undefined
    const token = row.token === null ? held?.token : { token: row.token, media: row.media }
    return token && copyOf(token, row, question.now)
  }
}

/** https only, in the one spelling that the URL standard gives it, which has no character beyond ASCII. */
function addressOf(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url?.protocol !== 'https:' || url.href.length > limits.uri_characters) return undefined
  return url.href
}

function keyOf({ environment, uri }: StatusQuestion): StatusListKey {
  return { environment, uri }
}

function copyOf(token: StatusListToken, { fetched_at, lapses_at }: CopyRow, now: number): Copy {
  return { token, fetched_at, good_until: Math.min(lapses_at, now + good_seconds.copy) }
}

function foundIn({ token, good_until }: Copy): FoundList | undefined {
  return token && { token, good_until }
}

/** What this process alone remembers, and not for long. */
function passing(token: StatusListToken | undefined, until: number): Copy {
  return { token, fetched_at: null, good_until: until }
}
