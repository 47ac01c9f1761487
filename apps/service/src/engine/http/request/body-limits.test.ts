import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openRawConnection } from '../../../../test/network/raw-connection.ts'
import { startService } from '../../../../test/service.ts'
import { newVerification } from '../../../../test/verification.ts'
import { maxFormFields, maxJsonValues, parseForm } from './parse-body.ts'
import { maxBodyBytes, maxBodyBytesInUse } from './read-body.ts'

const starting = startService()
afterAll(async () => (await starting)[Symbol.asyncDispose]())
const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }

function fields(count: number): string {
  return Array.from({ length: count }, (_, number) => `${number.toString(36)}=`).join('&')
}

/** The longest delay of the event loop meanwhile. */
async function maxLoopDelay_ms(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  await work()
  delay.disable()
  return delay.max / 1e6
}

test('a form of 250,000 fields is refused before it is read, and a form of more than 20 before it is parsed', async () => {
  const service = await starting
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const raw = fields(250_000)
  const post = (path: string, text: string) => service.anonymous.request('POST', path, { ...form, raw: text })
  const seen: number[] = []
  const delay_ms = await maxLoopDelay_ms(async () => {
    for (const path of ['/wallet/response/nobody', '/wallet/request/nobody'])
      seen.push((await post(path, raw)).status)
    // For an existing verification the form is read and refused because of its number of fields.
    seen.push((await post(`/wallet/response/${body.id}`, raw)).status)
  })

  expect(seen).toEqual([404, 404, 400])
  expect(delay_ms).toBeLessThan(1000)
  expect((await post(`/wallet/response/${body.id}`, fields(maxFormFields + 1))).body.error.message).toBe(
    `The form has more than ${maxFormFields} fields.`,
  )
  expect((await post(`/wallet/response/${body.id}`, fields(maxFormFields))).body.error.code).toBe(
    'invalid_wallet_response',
  )
})

test('a JSON body with too many values is refused before it is parsed; separators in strings do not count', async () => {
  const service = await starting
  const merchant = await service.tenant()
  const create = (more: object) => merchant.post('/v1/verifications', { template: 'age_over_18', ...more })
  const many = (count: number) => ({ query: { credentials: Array.from({ length: count }, () => []) } })

  expect((await create(many(maxJsonValues.json))).body.error.message).toContain(
    `The body has more than ${maxJsonValues.json} values.`,
  )
  expect((await create(many(30))).body.error.message).not.toContain('values')
  expect(
    (await create({ purpose: '\\",[{'.repeat(50), metadata: { text: ',[{'.repeat(2000) } })).status,
  ).toBe(201)
})

test('the memory for unfinished bodies of one address is limited', async () => {
  const service = await starting
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const path = `/wallet/response/${body.id}`
  const almost = Buffer.alloc(maxBodyBytes.form - 1, 'a')
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${maxBodyBytes.form}\r\n\r\n`
  const connections = Array.from({ length: 14 }, () => openRawConnection(service.address))
  for (const connection of connections) {
    connection.write(head)
    connection.write(almost)
  }
  const fitting = Math.floor(maxBodyBytesInUse.each / maxBodyBytes.form)
  const refused: number[] = []
  const responses = connections.map(async (connection) => {
    const response = await connection.readResponse()
    if (response !== undefined) refused.push(response.status)
  })
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(connections.length - fitting)
  expect(new Set(refused)).toEqual(new Set([429]))
  for (const connection of connections) connection[Symbol.dispose]()

  await Promise.all(responses)

  // The memory is released once the connections are closed.
  await expect
    .poll(async () => (await service.anonymous.request('POST', path, { ...form, raw: 'response=x' })).status)
    .toBe(400)
})

test('a form is parsed like any other, but a long value is not unescaped on the event loop', () => {
  for (const body of ['', '&', 'a', 'a=', '=b', 'a=b=c', 'a%20b=c+d%26&&e=%zz%C3%A4%ff', '%61=1&b=%00'])
    expect(parseForm(body)).toEqual(Object.fromEntries(new URLSearchParams(body)))
  expect(() => parseForm('a=1&%61=2')).toThrow('more than once')
  expect(() => parseForm('__%70roto__=1')).toThrow('__proto__')
  const long = '%41'.repeat(30_000)
  expect(parseForm(`a=${long}&b=%41`)).toEqual({ a: long, b: 'A' })
})

test('[WRES-1] a long wallet response is accepted, however much of it is escaped', async () => {
  const service = await starting
  const { read, respond } = await newVerification(service)
  const escapeAll = (body: unknown) =>
    z
      .string()
      .parse(body)
      .replaceAll(/[^&=]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
  const { status } = await respond({
    send: (url, init) =>
      fetch(url, {
        ...init,
        ...(url.includes('/wallet/response/') && {
          body: `${escapeAll(init.body)}&${escapeAll('other')}=${'%41'.repeat(400_000)}`,
        }),
      }),
  })
  expect(status).toBe(200)
  expect((await read()).status).toBe('completed')
})
