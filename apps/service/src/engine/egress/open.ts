import { openUrlCheck, type CheckUrl } from './check-url.ts'
import { toAddressRanges } from './classify-address.ts'
import { openDial } from './dial.ts'
import { openOutboundPool } from './connection-pool.ts'
import { traceOutbound } from './trace-outbound.ts'
import { type OutboundOutcome, type OutboundRequest } from './request.ts'
import type { Cidr } from './read-cidr.ts'
import { openResolver } from './resolve.ts'

/** All outbound requests: webhooks, status lists and trust lists, and nothing else. */
export type Egress = {
  /** Checks in advance whether a URL may be requested. */
  checkUrl: CheckUrl
  request(outbound: OutboundRequest): Promise<OutboundOutcome>
  close(): void
}

export type EgressOptions = {
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
