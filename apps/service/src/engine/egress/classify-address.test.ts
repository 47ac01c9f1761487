import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classifyAddress, readCidr, toAddressRanges } from './classify-address.ts'

const nothing = toAddressRanges([])
const allow = (...cidrs: string[]) =>
  toAddressRanges(cidrs.map((text) => readCidr(text)).filter((cidr) => cidr !== undefined))

test('[HOOK-5] every form that can carry a private address is refused', () => {
  const forms = [
    '::ffff:127.0.0.1', // IPv4-mapped
    '::ffff:8.8.8.8',
    '::127.0.0.1', // IPv4-compatible
    '64:ff9b::7f00:1', // NAT64
    '64:ff9b::808:808',
    '64:ff9b:1::a00:1', // NAT64, local use
    '2002:7f00:1::1', // 6to4
    '2001:0:7f00:1::', // Teredo
    '100.64.0.1', // CGNAT
    '100.127.255.255',
    'fe80::1%lo', // zone
    '2606:4700:4700::1111%1',
    '8.8.8.8%1',
    '168.63.129.16', // host service of a cloud
  ]
  expect(forms.filter((form) => classifyAddress(form, nothing) !== 'refused')).toEqual([])
})

test('anything that is not an address is refused', () => {
  const everything = allow('0.0.0.0/0', '::/0')
  const texts = ['', 'localhost', '127.1', '0x7f000001', '[2606:4700::1]', '8.8.8.8 ', '8.8.8.8:80']
  expect(texts.filter((text) => classifyAddress(text, everything) !== 'refused')).toEqual([])
})

test('both ends of a special block are refused, and the addresses next to it are public', () => {
  const edges: [inside: string, outside: string][] = [
    ['0.255.255.255', '1.0.0.0'],
    ['10.0.0.0', '9.255.255.255'],
    ['10.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.63.255.255'],
    ['100.127.255.255', '100.128.0.0'],
    ['172.16.0.0', '172.15.255.255'],
    ['172.31.255.255', '172.32.0.0'],
    ['198.18.0.0', '198.17.255.255'],
    ['198.19.255.255', '198.20.0.0'],
    ['224.0.0.0', '223.255.255.255'],
    ['1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
    ['2001:1ff:ffff::', '2001:200::'],
    ['4000::', '3fff:1000::'],
  ]
  expect(edges.filter(([inside]) => classifyAddress(inside, nothing) !== 'refused')).toEqual([])
  expect(edges.filter(([, outside]) => classifyAddress(outside, nothing) !== 'public')).toEqual([])
})

test('[CREATE-9] only ranges that the operator lists are allowed, and only in their address family', () => {
  const allowed = allow('127.0.0.0/8', 'fd00::/8')

  expect(classifyAddress('127.9.9.9', allowed)).toBe('allowed')
  expect(classifyAddress('fd00:ec2::254', allowed)).toBe('allowed')
  expect(classifyAddress('10.0.0.1', allowed)).toBe('refused')
  expect(classifyAddress('::1', allowed)).toBe('refused')
  expect(classifyAddress('::ffff:127.0.0.1', allowed)).toBe('refused')
  expect(classifyAddress('10.0.0.1', allow('::/0'))).toBe('refused')
  expect(classifyAddress('fe80::1%lo', allow('::/0'))).toBe('refused')
})

test('[HOOK-5] 20,000 generated addresses are classified as integer arithmetic says', () => {
  // The same rules, implemented with integers instead of BlockList.
  const publicIpv4 = (n: number) =>
    !blocks4.some(([base, bits]) => n >>> (32 - bits) === numberOf(base) >>> (32 - bits))
  const publicIpv6 = (n: bigint) =>
    n >> 125n === 1n && !blocks6.some(([base, bits]) => n >> BigInt(128 - bits) === base)

  const near = (bases: number[]) =>
    fc
      .tuple(fc.constantFrom(...bases), fc.integer({ min: -2, max: 70_000 }))
      .map(([base, step]) => (base + step) >>> 0)
  fc.assert(
    fc.property(fc.oneof(fc.nat(0xffffffff), near(blocks4.map(([base]) => numberOf(base)))), (n) => {
      expect(classifyAddress(ipv4Text(n), nothing)).toBe(publicIpv4(n) ? 'public' : 'refused')
    }),
    { numRuns: 10_000 },
  )
  fc.assert(
    fc.property(
      fc.bigInt(0n, 2n ** 128n - 1n),
      fc.constantFrom(0n, 1n, 0x2001n, 0x2002n, 0x2620n, 0x3fffn),
      (n, head) => {
        const address = head === 0n ? n : (head << 112n) | (n >> 16n)
        expect(classifyAddress(ipv6Text(address), nothing)).toBe(publicIpv6(address) ? 'public' : 'refused')
      },
    ),
    { numRuns: 10_000 },
  )
})

const blocks4: [base: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
const blocks6: [head: bigint, bits: number][] = [
  [0x2001_0000n >> 9n, 23],
  [0x2001_0db8n, 32],
  [0x2002n, 16],
  [0x2620_004f_8000n, 48],
  [0x3fff_0n, 20],
]

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function ipv4Text(n: number): string {
  return [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.')
}

function ipv6Text(n: bigint): string {
  return (n.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':')
}
