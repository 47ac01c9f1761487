import { openUrlCheck, type CheckUrl } from './check-url.ts'
import { rangesOf } from './classify-address.ts'
import { openDial } from './dial.ts'
import { keepLines } from './keep-lines.ts'
import { request, type Outcome, type OutboundRequest } from './request.ts'
import type { Cidr } from './read-cidr.ts'
import { openResolver } from './resolve.ts'

/** The one door to the outside: webhooks, status lists and trust lists leave through it, and nothing else does. */
export type Egress = {
  /** Whether a URL may be sent to, as far as can be told beforehand. */
  checkUrl: CheckUrl
  request(wanted: OutboundRequest): Promise<Outcome>
  close(): void
}

export type OpenEgress = {
  /** Ranges that may be reached although they are not public. */
  allow: readonly Cidr[]
  /** `address` or `address:port`; the system's name servers when empty. */
  dns_servers: readonly string[]
}

export function openEgress({ allow, dns_servers }: OpenEgress): Egress {
  const allowed = rangesOf(allow)
  const resolve = openResolver(dns_servers, allowed)
  const lines = keepLines(openDial(resolve, allowed))
  return {
    checkUrl: openUrlCheck(resolve, allowed),
    request: (wanted) => request(lines, wanted),
    close: () => lines.close(),
  }
}
