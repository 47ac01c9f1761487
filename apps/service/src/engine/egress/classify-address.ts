import { BlockList, isIP } from 'node:net'
import { Resolver } from 'node:dns'

/** `public`: globally routable. `allowed`: not public, but listed by the operator. Everything else is refused. */
type AddressClass = 'public' | 'allowed' | 'refused'

/**
 * Address ranges. The families are separate because a BlockList compares an IPv4 address with an IPv6 range in its mapped
 * form: `::/3` in a common list would contain all of IPv4.
 */
export type AddressRanges = { ipv4: BlockList; ipv6: BlockList }

/**
 * Decides whether the service may connect to an address. Anything that is not an address, and an address with a zone
 * (`fe80::1%eth0`, which has a meaning on this machine only), is refused whatever the operator allows.
 */
export function classifyAddress(address: string, allowed: AddressRanges): AddressClass {
  const family = addressFamily(address)
  if (family === undefined || address.includes('%')) return 'refused'
  if (!specialRanges[family].check(address, family)) return 'public'
  return allowed[family].check(address, family) ? 'allowed' : 'refused'
}

/**
 * Whether others may reach the host of a URL: a public address, or a name of several labels that is not reserved for this machine. The
 * name is not looked up.
 */
export function isPublicHost(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0) return classifyAddress(address, toAddressRanges([])) === 'public'
  return /\.(?!localhost\.?$)[^.]+\.?$/.test(host)
}

export function toAddressRanges(cidrs: readonly Cidr[]): AddressRanges {
  const ranges = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const { address, prefix, family } of cidrs) ranges[family].addSubnet(address, prefix, family)
  return ranges
}

function addressFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined
}

const specialCidrs = [
  // IANA IPv4 Special-Purpose Address Registry, and multicast.
  '0.0.0.0/8', // this host, this network
  '10.0.0.0/8', // private use
  '100.64.0.0/10', // shared by carriers (CGNAT)
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, metadata of most clouds
  '172.16.0.0/12', // private use
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT relays
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private use
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '168.63.129.16/32', // a public address that Azure uses inside its data centres for host keys and agents

  // Only 2000::/3 is assigned as global unicast (RFC 4291 §2.4), so everything outside it is special without being listed:
  // loopback, IPv4-mapped and -compatible, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), unique local, link-local, multicast.
  '::/3',
  '4000::/2',
  '8000::/1',
  // Inside it: IANA IPv6 Special-Purpose Address Registry.
  '2001::/23', // IETF protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

const specialRanges = toAddressRanges(
  specialCidrs.map((text) => {
    const cidr = readCidr(text)
    if (cidr === undefined) throw new Error(`${text} is not a CIDR range`)
    return cidr
  }),
)

export type Cidr = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

/** Parses an address range such as `10.0.0.0/8`, or a single address. Undefined if it is neither. */
export function readCidr(text: string): Cidr | undefined {
  const [, address = '', prefixText = ''] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address) === 4 ? 'ipv4' : isIP(address) === 6 ? 'ipv6' : undefined
  if (family === undefined) return undefined
  const prefix = prefixText === '' ? (family === 'ipv4' ? 32 : 128) : Number(prefixText)
  try {
    new BlockList().addSubnet(address, prefix, family)
  } catch {
    // BlockList rejects a prefix that is too long.
    return undefined
  }
  return { address, prefix, family }
}

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
