import { isIP } from 'node:net'
import { classifyAddress, type AddressRanges } from './classify-address.ts'
import { isForOtherProtocol, readTarget } from './read-target.ts'
import type { Resolve } from './resolve.ts'
import { dedupeLookups } from './dedupe-lookups.ts'

/** What is known about a URL before anything is sent to it. `unresolved` is not a refusal: the address is checked again on connecting. */
type UrlVerdict =
  | { verdict: 'public' }
  | { verdict: 'refused'; reason: 'not_http' | 'port' | 'not_public' | 'credentials' }
  | { verdict: 'unresolved' }

export type CheckUrl = (url: string) => Promise<UrlVerdict>

const lookupTimeout_ms = 1000
const maxPendingHosts = 1000

/**
 * Checks a URL when it is submitted (CREATE-9): may its host be reached, as far as can be determined within a second? A busy
 * merchant submits the same host a thousand times a second, so concurrent lookups of one host are combined.
 */
export function openUrlCheck(resolve: Resolve, allowed: AddressRanges): CheckUrl {
  const lookUp = dedupeLookups(resolve, maxPendingHosts)

  return async (url) => {
    const target = readTarget(url)
    if (target === undefined) return { verdict: 'refused', reason: 'not_http' }
    if (isForOtherProtocol(target)) return { verdict: 'refused', reason: 'port' }
    const literal = isIP(target.host) !== 0
    if (literal && classifyAddress(target.host, allowed) === 'refused') return notPublic
    if (target.authorization !== undefined) return { verdict: 'refused', reason: 'credentials' }
    if (literal) return isPublic

    const resolution = await withTimeout(lookUp(target.host))
    if (resolution === undefined || resolution.kind === 'unresolved') return { verdict: 'unresolved' }
    return resolution.kind === 'refused' ? notPublic : isPublic
  }
}

const isPublic: UrlVerdict = { verdict: 'public' }
const notPublic: UrlVerdict = { verdict: 'refused', reason: 'not_public' }

async function withTimeout<Result>(promise: Promise<Result> | undefined): Promise<Result | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), lookupTimeout_ms)
  try {
    return await Promise.race([promise, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
