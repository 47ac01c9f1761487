import { isIP } from 'node:net'
import { classifyAddress, type AddressRanges } from './classify-address.ts'
import { readTarget } from './read-target.ts'
import type { Resolve } from './resolve.ts'
import { shareQuestions } from './share-questions.ts'

/** What can be known of a URL before anything is sent to it. `unresolved` is no refusal: the door looks again. */
type UrlVerdict =
  | { verdict: 'public' }
  | { verdict: 'refused'; reason: 'not_http' | 'not_public' | 'credentials' }
  | { verdict: 'unresolved' }

export type CheckUrl = (url: string) => Promise<UrlVerdict>

const patience_ms = 1000
const hostsAtOnce = 1000

/**
 * Checks a URL when it is handed in (CREATE-9): is its host, as far as can be told within a second, one that may be
 * reached? A busy merchant names the same host a thousand times a second, so equal look-ups are shared.
 */
export function openUrlCheck(resolve: Resolve, allowed: AddressRanges): CheckUrl {
  const ask = shareQuestions(resolve, hostsAtOnce)

  return async (url) => {
    const target = readTarget(url)
    if (target === undefined) return { verdict: 'refused', reason: 'not_http' }
    const literal = isIP(target.host) !== 0
    if (literal && classifyAddress(target.host, allowed) === 'refused') return notPublic
    if (target.authorization !== undefined) return { verdict: 'refused', reason: 'credentials' }
    if (literal) return isPublic

    const resolution = await answerInTime(ask(target.host))
    if (resolution === undefined || resolution.kind === 'unresolved') return { verdict: 'unresolved' }
    return resolution.kind === 'refused' ? notPublic : isPublic
  }
}

const isPublic: UrlVerdict = { verdict: 'public' }
const notPublic: UrlVerdict = { verdict: 'refused', reason: 'not_public' }

async function answerInTime<Answer>(answer: Promise<Answer> | undefined): Promise<Answer | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), patience_ms)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
