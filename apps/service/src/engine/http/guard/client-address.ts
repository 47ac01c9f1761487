import { BlockList, isIP } from 'node:net'
import type { Cidr } from '../../egress/classify-address.ts'
import type { AddressKey } from '../../limits/limiter.ts'

/** Whose `X-Forwarded-For` is trusted: the ranges in TRUSTED_PROXIES, nobody by default. */
export function createProxyCheck(ranges: readonly Cidr[]): false | ((address: string) => boolean) {
  if (ranges.length === 0) return false
  const trusted = new BlockList()
  for (const { address, prefix, family } of ranges) trusted.addSubnet(address, prefix, family)
  return (address) => {
    const unmapped = unmapIpv4(address)
    const family = isIP(unmapped)
    return family !== 0 && trusted.check(unmapped, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/**
 * The key under which an address is counted: the IPv4 address, or the /64 of an IPv6 address, because a caller usually controls
 * a whole /64. Anything that is not an address (a proxy may forward anything) shares one key.
 */
export function addressKey(address: string): AddressKey {
  return normalise(unmapIpv4(address)) as AddressKey // the only place that makes one
}

function normalise(address: string): string {
  switch (isIP(address)) {
    case 4:
      return address
    case 6:
      return `${ipv6Network(address)}::/64`
    default:
      return 'unknown'
  }
}

function unmapIpv4(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function ipv6Network(address: string): string {
  const [before = '', after] = (address.split('%')[0] ?? '').split('::')
  const head = parseGroups(before)
  const tail = parseGroups(after ?? '')
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...tail].slice(0, 4).join(':')
}

function parseGroups(part: string): string[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16).toString(16))
}
