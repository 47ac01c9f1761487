import { Resolver } from 'node:dns/promises'
import { classifyAddress, type AddressRanges } from './classify-address.ts'

type Address = { address: string; family: 4 | 6 }

/** Where a name leads. One address that may not be reached refuses the name: nobody mixes them by accident. */
type Resolution =
  | { kind: 'reachable'; addresses: Address[] }
  | { kind: 'refused' }
  | { kind: 'unresolved'; code: string }

export type Resolve = (name: string) => Promise<Resolution>

/** A question waits a second and is asked once more. Callers have their own patience on top. */
const dnsOptions = { timeout: 1000, tries: 2 }

/** Every address of a name is checked; of each family no more than these are tried. */
const maxAddressesPerFamily = 4

/**
 * Resolves names over `servers`, or else the system's name servers. It asks them itself instead of `getaddrinfo`: a slow
 * name server then holds up its own question only, and not one of the four threads that the whole process shares. So
 * there is neither a search list nor a hosts file: a host outside is given by its full name.
 */
export function openResolver(servers: readonly string[], allowed: AddressRanges): Resolve {
  const resolver = new Resolver(dnsOptions)
  if (servers.length > 0) resolver.setServers(servers)
  const isAllowed = ({ address }: Address) => classifyAddress(address, allowed) !== 'refused'

  return async (name) => {
    // An operator who allowed one of the two loopbacks meant that one.
    if (isLocalhost(name)) return reachable(loopback.filter(isAllowed))

    const addresses = await queryBothFamilies(resolver, name)
    if ('code' in addresses) return { kind: 'unresolved', code: addresses.code }
    return addresses.every(isAllowed) ? reachable(addresses) : { kind: 'refused' }
  }
}

/** `localhost` and what lies below it never leave this machine, so no name server is asked (RFC 6761 §6.3). */
function isLocalhost(name: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(name)
}

const loopback: Address[] = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
]

function reachable(addresses: Address[]): Resolution {
  if (addresses.length === 0) return { kind: 'refused' }
  const tried = ([6, 4] as const).flatMap((family) =>
    addresses.filter((address) => address.family === family).slice(0, maxAddressesPerFamily),
  )
  return { kind: 'reachable', addresses: tried }
}

/** What either family gave: a name server that is broken for one of them, as many are for IPv6, does not hide the other. */
async function queryBothFamilies(resolver: Resolver, name: string): Promise<Address[] | { code: string }> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses: Address[] = [
    ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 as const })),
    ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 as const })),
  ]
  if (addresses.length > 0) return addresses
  return { code: ipv4.status === 'rejected' ? errorCode(ipv4.reason) : 'ENODATA' }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EBADNAME'
}
