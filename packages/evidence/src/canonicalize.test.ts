import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalize } from './canonicalize.ts'

const pairs = 100_000

/** The same value spelled differently: members reordered, other forms of numbers and strings, extra white space. */
function respell(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(respell).join(' , ')} ]`
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('a', String.raw`\u0061`)
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toReversed()
  return `{\n${members.map(([name, member]) => `${JSON.stringify(name)} : ${respell(member)}`).join(' ,\t')}}`
}

const body = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'))

test(
  `[IDEM-4] bodies that differ only in spelling are the same request (${pairs} pairs)`,
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(body, (value) => {
        expect(canonicalize(JSON.parse(respell(value)))).toBe(canonicalize(value))
      }),
      { numRuns: pairs / 2 },
    )
  },
)

test(
  `[IDEM-4] bodies with different content are different requests (${pairs} pairs)`,
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(body, body, (one, other) => {
        expect(canonicalize(one) === canonicalize(other)).toBe(isSame(one, other))
      }),
      { numRuns: pairs / 2 },
    )
  },
)

test('[IDEM-4] ttl_seconds: 300 and its absence differ, and so do null and absence', () => {
  expect(canonicalize({ template: 'a', ttl_seconds: 300 })).not.toBe(canonicalize({ template: 'a' }))
  expect(canonicalize({ template: 'a', purpose: null })).not.toBe(canonicalize({ template: 'a' }))
})

test('the example of RFC 8785 is reproduced exactly', () => {
  const input = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`

  expect(canonicalize(JSON.parse(input))).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  )
})

/** Structural equality, computed without serialising. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    )
  }
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) {
    return one === other || (one === 0 && other === 0)
  }
  const members = new Map<string, unknown>(Object.entries(one))
  const others = new Map<string, unknown>(Object.entries(other))
  return (
    members.size === others.size &&
    Array.from(members).every(([name, value]) => others.has(name) && isSame(value, others.get(name)))
  )
}
