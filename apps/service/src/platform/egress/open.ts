import { openUrlCheck, type CheckUrl } from './check-url.ts'
import { toAddressRanges } from './classify-address.ts'
import { openDial } from './dial.ts'
import { openOutboundPool } from './connection-pool.ts'
import { request, type OutboundOutcome, type OutboundRequest } from './request.ts'
import type { Cidr } from './read-cidr.ts'
import { openResolver } from './resolve.ts'

/** The one door to the outside: webhooks, status lists and trust lists leave through it, and nothing else does. */
export type Egress = {
  /** Whether a URL may be sent to, as far as can be told beforehand. */
  checkUrl: CheckUrl
  request(outbound: OutboundRequest): Promise<OutboundOutcome>
  close(): void
}

export type EgressOptions = {
  /** Ranges that may be reached although they are not public. */
  allow: readonly Cidr[]
  /** `address` or `address:port`; the system's name servers when empty. */
  dns_servers: readonly string[]
}

export function openEgress({ allow, dns_servers }: EgressOptions): Egress {
  const allowed = toAddressRanges(allow)
  const resolve = openResolver(dns_servers, allowed)
  const pool = openOutboundPool(openDial(resolve, allowed))
  return {
    checkUrl: openUrlCheck(resolve, allowed),
    request: (outbound) => request(pool, outbound),
    close: () => pool.close(),
  }
}
