import { BlockList, isIP } from 'node:net'
import type { Cidr } from '../egress/read-cidr.ts'

/** Whose `X-Forwarded-For` is believed: the ranges of TRUSTED_PROXIES, nobody by default. */
export function proxyTrust(ranges: readonly Cidr[]): false | ((address: string) => boolean) {
  if (ranges.length === 0) return false
  const trusted = new BlockList()
  for (const { address, prefix, family } of ranges) trusted.addSubnet(address, prefix, family)
  return (address) => {
    const plain = withoutMapping(address)
    const family = isIP(plain)
    return family !== 0 && trusted.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/**
 * Who draws on a budget: an IPv4 address, or the /64 of an IPv6 address, because whoever has one address of a /64 has them
 * all. What is no address (a proxy may forward anything) shares one budget.
 */
export function budgetHolder(address: string): string {
  const plain = withoutMapping(address)
  switch (isIP(plain)) {
    case 4:
      return plain
    case 6:
      return `${networkOf(plain)}::/64`
    default:
      return 'unknown'
  }
}

function withoutMapping(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function networkOf(address: string): string {
  const [before = '', after] = (address.split('%')[0] ?? '').split('::')
  const head = groupsOf(before)
  const tail = groupsOf(after ?? '')
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...tail].slice(0, 4).join(':')
}

function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16).toString(16))
}
