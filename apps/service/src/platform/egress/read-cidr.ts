import { BlockList, isIP } from 'node:net'

export type Cidr = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

/** Reads an address range such as `10.0.0.0/8`, or one address. Undefined when it is neither. */
export function readCidr(text: string): Cidr | undefined {
  const [, address = '', prefixText = ''] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address) === 4 ? 'ipv4' : isIP(address) === 6 ? 'ipv6' : undefined
  if (family === undefined) return undefined
  const prefix = prefixText === '' ? (family === 'ipv4' ? 32 : 128) : Number(prefixText)
  try {
    new BlockList().addSubnet(address, prefix, family)
  } catch {
    // BlockList knows how long a prefix may be.
    return undefined
  }
  return { address, prefix, family }
}
