import { openEgress } from '../../src/engine/egress/open.ts'
import { readCidr } from '../../src/engine/egress/classify-address.ts'
import type { OutboundRequest } from '../../src/engine/egress/request.ts'
import { startNameServer, type Zone } from './name-server.ts'

/** Egress with the test's own name server, in which only the given non-public ranges are allowed. */
export async function openEgressFixture(names: Zone, ...allow: string[]) {
  const nameServer = await startNameServer(names)
  const egress = openEgress({
    allow: allow.map((text) => readCidr(text)).filter((cidr) => cidr !== undefined),
    dns_servers: [nameServer.address],
  })
  return {
    ...egress,
    nameServer,
    post: (url: string, more: Partial<OutboundRequest> = {}) =>
      egress.request({
        method: 'POST',
        url,
        timeout_ms: 5000,
        max_response_bytes: 16 * 1024,
        compose: (write) =>
          write({ headers: { 'content-type': 'application/json' }, body: '{"hello":"wörld"}' }),
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      egress.close()
      await nameServer[Symbol.asyncDispose]()
    },
  }
}
