import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { spelledUrl, spellings, spellingsZone } from '../../../test/network/spell-addresses.ts'

test('[CREATE-9] 130 spellings of addresses are all classified correctly', async () => {
  await using at = await openEgressFixture(spellingsZone)
  const wrong: string[] = []
  for (const { url, expect: expected } of spellings) {
    const { verdict } = await at.checkUrl(url)
    // A URL that looked public is refused on connecting at the latest. This test never connects to an allowed address.
    const refused =
      verdict === 'refused' || (expected === 'refuse' && (await at.post(url)).outcome === 'refused')
    if (expected !== 'either' && refused !== (expected === 'refuse')) wrong.push(url)
  }
  expect(spellings).toHaveLength(130)
  expect(wrong).toEqual([])
})

test('[CREATE-9] none of 5,000 generated spellings of non-public addresses passes', async () => {
  await using at = await openEgressFixture({})
  let understood = 0
  await fc.assert(
    fc.asyncProperty(spelledUrl, async (url) => {
      const verdict = await at.checkUrl(url)
      expect(verdict).toMatchObject({ verdict: 'refused' })
      if (verdict.verdict === 'refused' && verdict.reason === 'not_public') understood += 1
    }),
    { numRuns: 5000 },
  )
  // Most are valid URLs and were refused because of their address.
  expect(understood).toBeGreaterThan(4000)
})

test('[CREATE-9] localhost is refused by name, without a DNS query', async () => {
  await using at = await openEgressFixture({ localhost: ['8.8.8.8'], 'a.localhost': ['8.8.8.8'] })
  for (const host of ['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', 'a.b.localhost.', 'ⓛocalhost']) {
    expect(await at.checkUrl(`http://${host}:3000/hook`)).toEqual({
      verdict: 'refused',
      reason: 'not_public',
    })
  }
  expect(at.nameServer.queries).toEqual([])
})

test('[CREATE-9] localhost can be used if the operator allows a loopback address', async () => {
  await using at = await openEgressFixture({}, '127.0.0.0/8')
  expect(await at.checkUrl('http://localhost:3000/hook')).toEqual({ verdict: 'public' })
})

test('[CREATE-9] schemes other than http and https are refused', async () => {
  await using at = await openEgressFixture({})
  for (const url of [
    'ftp://8.8.8.8/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ws://8.8.8.8/',
    'no URL',
  ]) {
    expect(await at.checkUrl(url)).toEqual({ verdict: 'refused', reason: 'not_http' })
  }
})

test('[CREATE-9] the ports of other protocols are refused, and nothing is sent to them', async () => {
  await using at = await openEgressFixture({}, '127.0.0.0/8')
  for (const port of [0, 22, 25, 53, 587, 6667]) {
    const url = `http://127.0.0.1:${port}/hook`
    expect([port, await at.checkUrl(url)]).toEqual([port, { verdict: 'refused', reason: 'port' }])
    expect([port, await at.post(url)]).toMatchObject([port, { outcome: 'refused', reason: 'port' }])
  }
  for (const port of [80, 443, 3000, 8080, 8443])
    expect(await at.checkUrl(`https://8.8.8.8:${port}/`)).toEqual({ verdict: 'public' })
})

test('a name that does not exist, or gets no DNS response within a second, is unresolved', async () => {
  await using at = await openEgressFixture({ 'silent.test': 'silent' })
  expect(await at.checkUrl('https://nobody.test/hook')).toEqual({ verdict: 'unresolved' })

  const started = performance.now()
  expect(await at.checkUrl('https://silent.test/hook')).toEqual({ verdict: 'unresolved' })
  expect(performance.now() - started).toBeLessThan(1500)
})

test('a name is judged by one address family if the other has no records', async () => {
  await using at = await openEgressFixture({
    'private.test': ({ type }) => (type === 'A' ? ['10.0.0.1'] : 'no such name'),
    'public.test': ({ type }) => (type === 'AAAA' ? ['2606:4700:4700::1111'] : 'no such name'),
  })
  expect(await at.checkUrl('https://private.test/')).toEqual({ verdict: 'refused', reason: 'not_public' })
  expect(await at.checkUrl('https://public.test/')).toEqual({ verdict: 'public' })
})

test('a thousand concurrent checks of one host make two lookups, and each result is newer than its request', async () => {
  await using at = await openEgressFixture({ 'busy.test': ['8.8.8.8'] })
  const verdicts = await Promise.all(
    Array.from({ length: 1000 }, () => at.checkUrl('https://busy.test/hook')),
  )

  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['public']))
  expect(at.nameServer.queries.filter((question) => question === 'A busy.test')).toHaveLength(2)
})
