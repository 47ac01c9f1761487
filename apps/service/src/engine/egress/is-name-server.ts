import { Resolver } from 'node:dns'

/** Whether `DNS_SERVERS` may contain this entry: `9.9.9.9`, `127.0.0.1:5353`, `[2620:fe::fe]:53`. */
export function isNameServer(text: string): boolean {
  try {
    new Resolver().setServers([text])
    return true
  } catch {
    // Node rejects anything that is not an address with an optional port.
    return false
  }
}
