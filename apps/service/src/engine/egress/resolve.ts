import { Resolver } from 'node:dns/promises'
import { type AddressRanges, classifyAddress } from './classify-address.ts'

type Address = { address: string; family: 4 | 6 }

/** The addresses of a name. One forbidden address refuses the name: public and private addresses are never mixed by accident. */
type Resolution =
  | { kind: 'reachable'; addresses: Address[] }
  | { kind: 'refused' }
  | { kind: 'unresolved'; code: string }

export type Resolve = (name: string) => Promise<Resolution>

/** A query times out after a second and is retried once. Callers have their own time limit on top. */
const dnsOptions = { timeout: 1000, tries: 2 }

/** Every address of a name is checked, but only this many per family are tried. */
const maxAddressesPerFamily = 4

/**
 * Resolves names through `servers`, or the system's name servers. It queries them directly instead of calling `getaddrinfo`,
 * so a slow name server delays only its own query and not one of the four libuv threads that the process shares. Hence neither
 * search lists nor the hosts file apply: a host is given by its full name.
 */
export function openResolver(servers: readonly string[], allowed: AddressRanges): Resolve {
  const resolver = new Resolver(dnsOptions)
  if (servers.length > 0) resolver.setServers(servers)
  const isAllowed = ({ address }: Address) => classifyAddress(address, allowed) !== 'refused'

  return async (name) => {
    // The operator may have allowed only one of the two loopback addresses.
    if (isLocalhost(name)) return reachable(loopback.filter(isAllowed))

    const addresses = await queryBothFamilies(resolver, name)
    if ('code' in addresses) return { kind: 'unresolved', code: addresses.code }
    return addresses.every(isAllowed) ? reachable(addresses) : { kind: 'refused' }
  }
}

/** `localhost` and its subdomains are never sent to a name server (RFC 6761 §6.3). */
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

/** The addresses of both families. A name server that fails for one of them, as many do for IPv6, does not hide the other. */
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

/** Looks up a key. Undefined if too many different keys are pending. */
type DedupedLookup<Result> = (key: string) => Promise<Result> | undefined

type PendingLookup<Result> = { done: Promise<void>; next?: Promise<Result> }

/**
 * Combines concurrent lookups of the same key. A request never joins a lookup that has already started; it shares the next
 * one, so every result is newer than its request and nothing is cached.
 */
export function dedupeLookups<Result>(
  lookUp: (key: string) => Promise<Result>,
  maxPending: number,
): DedupedLookup<Result> {
  const pending = new Map<string, PendingLookup<Result>>()

  function start(key: string): Promise<Result> {
    const result = lookUp(key)
    const end = () => {
      if (lookup.next === undefined) pending.delete(key)
    }
    const lookup: PendingLookup<Result> = { done: result.then(end, end) }
    pending.set(key, lookup)
    return result
  }

  return (key) => {
    const lookup = pending.get(key)
    if (lookup !== undefined) return (lookup.next ??= lookup.done.then(() => start(key)))
    return pending.size < maxPending ? start(key) : undefined
  }
}
