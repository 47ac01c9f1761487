import { isIP } from 'node:net'
import { SpanKind, endWith, markFailed } from '../observability/spans.ts'
import { tracing, within } from '../observability/tracing.ts'
import { type AddressRanges, type Cidr, classifyAddress, toAddressRanges } from './classify-address.ts'
import { type OutboundPool, openOutboundPool } from './connection-pool.ts'
import { openDial } from './dial.ts'
import { isForOtherProtocol, readTarget } from './read-target.ts'
import { type OutboundOutcome, type OutboundRequest, request } from './request.ts'
import { type Resolve, dedupeLookups, openResolver } from './resolve.ts'

/** All outbound HTTP requests, such as webhooks, status lists and trust lists. */
export type Egress = {
  /** Checks in advance whether a URL may be requested. */
  checkUrl: CheckUrl
  request(outbound: OutboundRequest): Promise<OutboundOutcome>
  close(): void
}

type EgressOptions = {
  /** Non-public ranges that may be reached. */
  allow: readonly Cidr[]
  /** `address` or `address:port`. The system's name servers if empty. */
  dns_servers: readonly string[]
}

export function openEgress({ allow, dns_servers }: EgressOptions): Egress {
  const allowed = toAddressRanges(allow)
  const resolve = openResolver(dns_servers, allowed)
  const pool = openOutboundPool(openDial(resolve, allowed))
  return {
    checkUrl: openUrlCheck(resolve, allowed),
    request: (outbound) => traceOutbound(pool, outbound),
    close: () => pool.close(),
  }
}

/** What is known about a URL before anything is sent to it. `unresolved` is not a refusal: the address is checked again on connecting. */
type UrlVerdict =
  | { verdict: 'public' }
  | { verdict: 'refused'; reason: 'not_http' | 'port' | 'not_public' | 'credentials' }
  | { verdict: 'unresolved' }

type CheckUrl = (url: string) => Promise<UrlVerdict>

const lookupTimeout_ms = 1000
const maxPendingHosts = 1000

const isPublic: UrlVerdict = { verdict: 'public' }
const notPublic: UrlVerdict = { verdict: 'refused', reason: 'not_public' }

/**
 * Checks a URL when it is submitted (CREATE-9): may its host be reached, as far as can be determined within a second? A busy
 * merchant submits the same host a thousand times a second, so concurrent lookups of one host are combined.
 */
function openUrlCheck(resolve: Resolve, allowed: AddressRanges): CheckUrl {
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

async function withTimeout<Result>(promise: Promise<Result> | undefined): Promise<Result | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), lookupTimeout_ms)
  try {
    return await Promise.race([promise, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Makes a request, in a span if it is traced. Of the URL only the host is recorded: path and query may contain secrets. */
function traceOutbound(pool: OutboundPool, outbound: OutboundRequest): Promise<OutboundOutcome> {
  const { method, url } = outbound
  const span = tracing.tracer?.startSpan(method, {
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': method, 'server.address': readTarget(url)?.host ?? 'invalid' },
  })
  if (span === undefined) return request(pool, outbound)
  const work = async () => {
    const result = await request(pool, outbound)
    const status = result.outcome === 'responded' ? result.status : undefined
    if (status !== undefined) span.setAttribute('http.response.status_code', status)
    const failure = status === undefined ? result.outcome : status >= 400 && String(status)
    if (failure !== false && failure !== 'withdrawn') markFailed(span, failure)
    return result
  }
  return endWith(span, within(span, work))
}
