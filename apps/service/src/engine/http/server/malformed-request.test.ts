import { expect, test } from 'vitest'
import { probes } from '../../../../test/probes.ts'
import { openRawConnection, sendRaw } from '../../../../test/network/raw-connection.ts'
import { startService } from '../../../../test/service.ts'

/** Requests that no correct client sends. Each one gets an error envelope, or its connection is closed. */
const malformed: Record<string, string> = {
  'two lengths': 'POST /v1/probe HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcdef',
  'length and chunks':
    'POST /v1/probe HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'unknown transfer encoding':
    'POST /v1/probe HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n',
  'chunked twice':
    'POST /v1/probe HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n',
  'chunks in HTTP/1.0':
    'POST /v1/probe HTTP/1.0\r\nhost: x\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'a negative length': 'POST /v1/probe HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
  'a length that overflows': `POST /v1/probe HTTP/1.1\r\nhost: x\r\ncontent-length: ${'9'.repeat(40)}\r\n\r\n`,
  'a bad chunk size':
    'POST /v1/probe HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n',
  'a chunk longer than it says':
    'POST /v1/probe HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabcdefgh\r\n0\r\n\r\n',
  'a bare line feed between headers': 'GET /healthz HTTP/1.1\nhost: x\n\n',
  'a space before the colon': 'GET /healthz HTTP/1.1\r\nhost : x\r\n\r\n',
  'a folded header': 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: 1\r\n  2\r\n\r\n',
  'NUL in a header': 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: a\0b\r\n\r\n',
  'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
  'no version': 'GET /healthz\r\n\r\n',
  'another protocol': 'SSH-2.0-OpenSSH_9.9\r\n',
  'a version of the future': 'GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n',
  '10,000 headers': `GET /healthz HTTP/1.1\r\nhost: x\r\n${Array.from({ length: 10_000 }, (_, n) => `x-${n}: y`).join('\r\n')}\r\n\r\n`,
  'one header of 17 KiB': `GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'y'.repeat(17 * 1024)}\r\n\r\n`,
  'an address of 20 KiB': `GET /${'a'.repeat(20 * 1024)} HTTP/1.1\r\nhost: x\r\n\r\n`,
}

test('[GEN-5] [GEN-11] malformed HTTP gets an error envelope or is disconnected, and the service keeps running', async () => {
  await using service = await startService({ extra: probes })

  for (const [what, bytes] of Object.entries(malformed)) {
    const response = await sendRaw(service.address, bytes)
    if (response === undefined) continue
    // A request that is refused before its malformed body is read gets the error of its route.
    expect([what, response.status >= 400 && response.status < 500]).toEqual([what, true])
    expect(response.body).toEqual({ error: { code: expect.any(String), message: expect.any(String) } })
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
  expect(await service.anonymous.get('/healthz')).toMatchObject({ status: 200 })
})

test('a request smuggled in the body of another is never answered', async () => {
  await using service = await startService({ extra: probes })
  const smugglers = [
    'two lengths',
    'length and chunks',
    'unknown transfer encoding',
    'chunked twice',
    'chunks in HTTP/1.0',
  ]
  for (const smuggler of smugglers) {
    using connection = openRawConnection(service.address)
    connection.write(`${malformed[smuggler]}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`)
    const first = await connection.readResponse()
    await connection.closed

    expect([smuggler, first?.status]).toEqual([smuggler, 400])
    expect(await connection.readResponse()).toBeUndefined()
  }
})

test('[GEN-10] [GEN-11] headers that arrive too slowly are refused', async () => {
  await using service = await startService({ extra: probes })
  using connection = openRawConnection(service.address)
  connection.write('GET /healthz HTTP/1.1\r\nhost: x\r\n')
  const trickle = setInterval(() => connection.write('x-a: b\r\n'), 500)

  const response = await connection.readResponse()
  await connection.closed
  clearInterval(trickle)

  expect(response).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  expect(response?.took_ms).toBeGreaterThan(14_000)
  expect(response?.took_ms).toBeLessThan(19_000)
})
