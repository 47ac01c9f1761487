import { Resolver } from 'node:dns'

/** Whether a text names a resolver as `DNS_SERVERS` may: `9.9.9.9`, `127.0.0.1:5353`, `[2620:fe::fe]:53`. */
export function isNameServer(text: string): boolean {
  try {
    new Resolver().setServers([text])
    return true
  } catch {
    // Node knows what it takes for an address with a port.
    return false
  }
}
