import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Zone } from './name-server.ts'

type Spelling = { url: string; expect: 'refuse' | 'allow' | 'either' }

/** 130 spellings of addresses and names, and whether they may be reached. */
export const spellings: Spelling[] = JSON.parse(
  readFileSync(new URL('./data/egress-urls.json', import.meta.url), 'utf8'),
)

/** The DNS records of the names in the list. */
export const spellingsZone: Zone = {
  'loop.test': ['127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'multi.test': ['8.8.8.8', '127.0.0.1'],
  'multi2.test': ['8.8.8.8', '2606:4700:4700::1111', 'fd00::1'],
  'rebind.test': ({ count }) => [count === 1 ? '8.8.8.8' : '127.0.0.1'],
  'public.test': ['8.8.8.8'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'zone.test': ['fe80::1'],
  'cgnat.test': ['100.64.0.1'],
  'zero.test': ['0.0.0.0'],
  'six2four.test': ['2002:7f00:1::'],
  'meta.test': ['169.254.169.254'],
  'v6only.test': ['2606:4700:4700::1111'],
}

/** Addresses of special blocks, spelled to evade detection. */
export const spelledUrl = fc
  .tuple(
    fc.constantFrom('http', 'HTTPS', 'hTTp'),
    fc.constantFrom('', 'user@', '8.8.8.8@', 'a:b@', 'example.com%00@'),
    fc.oneof(spelledIpv4(), spelledIpv6()),
    fc.constantFrom('', ':80', ':65535', ':'),
    fc.constantFrom('/', '', '?@8.8.8.8', '#@8.8.8.8', '\\@8.8.8.8/', '/..//8.8.8.8'),
  )
  .map(([scheme, user, host, port, rest]) => `${scheme}://${user}${host}${port}${rest}`)

function specialIpv4() {
  const block = fc.constantFrom(
    [0, 8] as const,
    [0x0a000000, 8] as const,
    [0x64400000, 10] as const,
    [0x7f000000, 8] as const,
    [0xa9fe0000, 16] as const,
    [0xac100000, 12] as const,
    [0xc0a80000, 16] as const,
    [0xc0000200, 24] as const,
    [0xe0000000, 4] as const,
    [0xf0000000, 4] as const,
  )
  return fc.tuple(block, fc.nat(0xffffffff)).map(([[base, bits], n]) => (base | (n >>> bits)) >>> 0)
}

function spelledIpv4() {
  const digit = (text: string) =>
    text.replace(/[0-9]/g, (each) => String.fromCodePoint(0xff10 + Number(each)))
  const part = fc.constantFrom(
    (n: number) => String(n),
    (n: number) => `0x${n.toString(16)}`,
    (n: number) => `0X${n.toString(16).toUpperCase()}`,
    (n: number) => `0${n.toString(8)}`,
    (n: number) => `000${n.toString(8)}`,
    (n: number) => digit(String(n)),
  )
  return fc
    .tuple(
      specialIpv4(),
      fc.integer({ min: 1, max: 4 }),
      fc.array(part, { minLength: 4, maxLength: 4 }),
      fc.constantFrom('.', '。', '．'),
      fc.constantFrom('', '.'),
    )
    .map(([n, parts, spell, dot, end]) => {
      const bytes = [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]
      // With fewer than four parts, the last one holds all remaining bytes.
      const tail = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0)
      const written = [...bytes.slice(0, parts - 1), tail].map(
        (each, index) => spell[index]?.(each) ?? String(each),
      )
      return written.join(dot) + end
    })
}

function spelledIpv6() {
  const group = (n: number) => fc.constantFrom(n.toString(16), n.toString(16).padStart(4, '0').toUpperCase())
  const carried = specialIpv4().chain((n) =>
    fc.tuple(
      group(n >>> 16),
      group(n & 0xffff),
      fc.constant([n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join('.')),
    ),
  )
  const local = fc.tuple(
    fc.constantFrom('fc00', 'fdff', 'fe80', 'febf', 'FEC0', 'ff02', '100', '5f00', '2001:db8'),
    fc.nat(0xffff),
  )
  return fc.oneof(
    fc
      .tuple(carried, fc.constantFrom('::ffff:', '0:0:0:0:0:FFFF:', '::', '64:ff9b::', '64:ff9b:1::'))
      .map(([[high, low], head]) => `[${head}${high}:${low}]`),
    fc
      .tuple(carried, fc.constantFrom('::ffff:', '::', '64:ff9b::'))
      .map(([[, , dotted], head]) => `[${head}${dotted}]`),
    carried.map(([high, low]) => `[2002:${high}:${low}::1]`),
    local.map(([head, n]) => `[${head}::${n.toString(16)}]`),
  )
}
