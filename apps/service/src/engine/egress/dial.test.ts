import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { makeCertificate, trustCertificate } from '../../../test/network/certificate.ts'
import { recordConnections } from '../../../test/network/record-connections.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { reply, neverRespond, startReceiver } from '../../../test/network/receiver.ts'

const certificate = await makeCertificate('right.test', '127.0.0.1')
const trust = trustCertificate(certificate.cert)
afterAll(() => trust[Symbol.dispose]())

test('[HOOK-5] a name that resolves to a private address after the check is refused without a connection attempt', async () => {
  await using receiver = await startReceiver(reply(200))
  await using at = await openEgressFixture({
    'rebind.test': ({ count }) => [count === 1 ? '8.8.8.8' : '127.0.0.1'],
  })
  using tap = recordConnections()

  expect(await at.checkUrl(`http://rebind.test:${receiver.port}/`)).toEqual({ verdict: 'public' })
  expect(await at.post(`http://rebind.test:${receiver.port}/`)).toMatchObject({
    outcome: 'refused',
    reason: 'not_public',
  })
  expect(tap.attempts).toEqual([])
  expect(receiver.connections).toBe(0)
})

test('[HOOK-5] a connection uses the address that its own lookup returned and checked', async () => {
  await using receiver = await startReceiver(reply(200))
  // 127.0.0.1 is allowed; every second lookup returns a private address.
  await using at = await openEgressFixture(
    { 'flip.test': ({ count }) => [count % 2 === 1 ? '127.0.0.1' : '10.0.0.1'] },
    '127.0.0.1/32',
  )
  using tap = recordConnections()
  const outcomes: string[] = []
  for (let round = 0; round < 20; round += 1) {
    const { outcome } = await at.post(`http://flip.test:${receiver.port}/`)
    outcomes.push(outcome)
    receiver.closeConnections()
    await pass(5)
  }

  expect(outcomes).toEqual(Array.from({ length: 10 }, () => ['responded', 'refused']).flat())
  expect(tap.attempts).toEqual(Array.from({ length: 10 }, () => '127.0.0.1'))
})

test('[HOOK-5] a name is refused if one of its addresses is forbidden, in any notation', async () => {
  await using receiver = await startReceiver(reply(200))
  const forms = [
    '127.0.0.2',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fd00::1',
    '2001::1',
  ]
  await using at = await openEgressFixture(
    Object.fromEntries(forms.map((form, index) => [`mixed-${index}.test`, ['127.0.0.1', form]])),
    '127.0.0.1/32',
  )
  using tap = recordConnections()
  for (const index of forms.keys()) {
    expect(await at.post(`http://mixed-${index}.test:${receiver.port}/`)).toMatchObject({
      outcome: 'refused',
    })
  }
  expect(tap.attempts).toEqual([])
})

test('[HOOK-5] an address literal in the URL is checked too, in every spelling', async () => {
  await using receiver = await startReceiver(reply(200))
  await using at = await openEgressFixture({})
  using tap = recordConnections()
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0',
    'a.localhost.',
  ]
  for (const host of hosts) {
    expect(await at.post(`http://${host}:${receiver.port}/`)).toMatchObject({ outcome: 'refused' })
  }
  expect(tap.attempts).toEqual([])
})

test('localhost is reached over the loopback address that is allowed', async () => {
  await using receiver = await startReceiver(reply(200))
  await using at = await openEgressFixture({}, '127.0.0.0/8')
  expect(await at.post(`http://localhost:${receiver.port}/`)).toMatchObject({
    outcome: 'responded',
    status: 200,
  })
})

test('if the first address of a name does not respond, the next one is tried', async () => {
  await using receiver = await startReceiver(reply(200))
  await using at = await openEgressFixture({ 'two.test': ['127.0.0.7', '127.0.0.1'] }, '127.0.0.0/8')
  expect(await at.post(`http://two.test:${receiver.port}/`)).toMatchObject({
    outcome: 'responded',
    status: 200,
  })
})

test('connection and DNS failures are returned as values', async () => {
  await using at = await openEgressFixture({ 'silent.test': 'silent' }, '127.0.0.1/32')
  const receiver = await startReceiver(neverRespond)
  await receiver[Symbol.asyncDispose]()
  expect(await at.post(receiver.url)).toMatchObject({
    outcome: 'failed',
    reason: 'connection',
    code: 'ECONNREFUSED',
  })
  expect(await at.post('http://nobody.test/')).toMatchObject({
    outcome: 'failed',
    reason: 'name',
    code: 'ENOTFOUND',
  })
  expect(await at.post('http://silent.test/', { timeout_ms: 300 })).toMatchObject({ outcome: 'timed_out' })
  expect(await at.post('gopher://nobody.test/')).toMatchObject({ outcome: 'refused', reason: 'not_http' })
})

test('a receiver needs a trusted certificate for its name or address', async () => {
  await using receiver = await startReceiver(reply(200), { tls: certificate })
  await using stranger = await startReceiver(reply(200), { tls: await makeCertificate('right.test') })
  await using at = await openEgressFixture(
    { 'right.test': ['127.0.0.1'], 'wrong.test': ['127.0.0.1'] },
    '127.0.0.0/8',
  )

  expect(await at.post(`https://right.test:${receiver.port}/`)).toMatchObject({ outcome: 'responded' })
  expect(await at.post(`https://right.test.:${receiver.port}/`)).toMatchObject({ outcome: 'responded' })
  expect(await at.post(receiver.url)).toMatchObject({ outcome: 'responded' })
  expect(await at.post(`https://wrong.test:${receiver.port}/`)).toMatchObject({
    outcome: 'failed',
    reason: 'tls',
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  expect(await at.post(`https://right.test:${stranger.port}/`)).toMatchObject({
    outcome: 'failed',
    reason: 'tls',
  })
  expect(stranger.received).toEqual([])
})

test('https to a plain receiver fails, and so does http to a TLS receiver', async () => {
  await using at = await openEgressFixture({}, '127.0.0.1/32')
  await using plain = await startReceiver(reply(200))
  await using secure = await startReceiver(reply(200), { tls: await makeCertificate('127.0.0.1') })

  expect(await at.post(plain.url.replace('http:', 'https:'), { timeout_ms: 500 })).not.toMatchObject({
    outcome: 'responded',
  })
  expect(await at.post(secure.url.replace('https:', 'http:'), { timeout_ms: 500 })).not.toMatchObject({
    outcome: 'responded',
  })
})
