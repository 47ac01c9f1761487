import { expect, expectTypeOf, test } from 'vitest'
import { probes } from '../../../../test/probes.ts'
import { startService } from '../../../../test/service.ts'
import type { RateLimitKey } from '../../limits/limiter.ts'
import type { Call, DashboardCall } from '../endpoint.ts'
import { addressKey } from './client-address.ts'

async function addressSeen(trusted: string, forwarded: string): Promise<string> {
  const lines: string[] = []
  await using service = await startService({
    extra: probes,
    environment: { TRUSTED_PROXIES: trusted },
    onLog: (line) => lines.push(line),
  })
  await service.anonymous.get('/v1/probe', { headers: { 'x-forwarded-for': forwarded } })
  return lines.map((line) => JSON.parse(line)).find(({ route }) => route === '/v1/probe').ip
}

test('X-Forwarded-For is trusted from configured proxies, and from nobody by default', async () => {
  expect(await addressSeen('', '203.0.113.9')).toBe('127.0.0.1')
  expect(await addressSeen('10.0.0.0/8', '203.0.113.9')).toBe('127.0.0.1')
  expect(await addressSeen('127.0.0.0/8', '203.0.113.9')).toBe('203.0.113.9')
  expect(await addressSeen('127.0.0.1', '2001:db8::1')).toBe('2001:db8::1')
})

test("entries that a caller puts before the proxies' own are not trusted", async () => {
  expect(await addressSeen('127.0.0.0/8,10.0.0.0/8', '1.1.1.1, 203.0.113.9, 10.0.0.7')).toBe('203.0.113.9')
})

test('a forwarded value that is not an address does not reach the log', async () => {
  expect(await addressSeen('127.0.0.0/8', 'vk_live_secret')).toBe('unknown')
})

test('an IPv6 caller is counted by its /64, an IPv4 caller by its address', () => {
  expect(addressKey('203.0.113.9')).toBe('203.0.113.9')
  expect(addressKey('::ffff:203.0.113.9')).toBe('203.0.113.9')
  expect(addressKey('::FFFF:203.0.113.9')).toBe('203.0.113.9')
  const same = [
    '2001:db8:1:2::1',
    '2001:0db8:0001:0002:ffff:ffff:ffff:ffff',
    '2001:DB8:1:2:0::9',
    '2001:db8:1:2::1%eth0',
  ]
  expect(new Set(same.map(addressKey))).toEqual(new Set(['2001:db8:1:2::/64']))
  expect(addressKey('2001:db8:1:3::1')).not.toBe(addressKey('2001:db8:1:2::1'))
  expect(addressKey('::1')).toBe('0:0:0:0::/64')
  expect(addressKey('2001:db8::')).toBe('2001:db8:0:0::/64')
  for (const odd of ['', 'unknown', '1.2.3.4.5', '203.0.113.9:443', 'vk_live_x'])
    expect(addressKey(odd)).toBe('unknown')
})

test('no limit of an address accepts an address as it was received', () => {
  const received: string = '2001:db8:1:2::1'
  const keys: RateLimitKey[] = [
    { limit: 'ip', owner: addressKey(received) },
    // @ts-expect-error -- not normalised
    { limit: 'ip', owner: received },
  ]
  expect(new Set(keys.map(({ owner }) => owner))).toEqual(new Set([received, '2001:db8:1:2::/64']))
  // A use case gets no other address.
  expectTypeOf<Call>().not.toHaveProperty('ip')
  expectTypeOf<DashboardCall>().not.toHaveProperty('ip')
  expectTypeOf<string>().not.toExtend<Call['address']>()
})
