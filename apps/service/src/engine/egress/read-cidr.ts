import { BlockList, isIP } from 'node:net'

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
