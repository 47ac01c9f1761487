import { describe, expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { probes } from '../../../../test/probes.ts'
import { openRawConnection } from '../../../../test/network/raw-connection.ts'
import { startService, type Service } from '../../../../test/service.ts'
import { newKey } from '../../../accounts/api-keys/authenticate-key.ts'
import { revokeKey } from '../../../accounts/api-keys/roll-key.ts'

/** The callers, and the status that each gets before a body is read. */
const callers = {
  'no key': 401,
  malformed: 401,
  unknown: 401,
  revoked: 401,
  expired: 401,
  'without scope': 403,
  good: undefined,
} as const

/** What they send, and the status that an authorised caller gets for it. */
const bodies = {
  'good body': { head: 'content-type: application/json', body: '{"name":"x"}', status: 200 },
  'bad JSON': { head: 'content-type: application/json', body: '{"name":', status: 400 },
  'wrong type': { head: 'content-type: text/plain', body: '{"name":"x"}', status: 400 },
  oversized: { head: 'content-type: application/json', length: 300 * 1024 * 1024, body: '{', status: 400 },
  slow: { head: 'content-type: application/json', length: 100, body: '{"na', status: 400 },
} as const

async function keysOf(service: Service): Promise<Record<keyof typeof callers, string | undefined>> {
  const merchant = await service.tenant()
  const revoked = await merchant.as({})
  await revokeKey(service.ctx, {
    by: { kind: 'operator', tenant_id: merchant.tenant_id },
    key_id: revoked.key_id,
  })
  const expired = await merchant.as({ lifetime_days: 30 })
  await setClockOffset(service.ctx.db, '31 days')
  return {
    'no key': undefined,
    malformed: `${merchant.key.slice(0, -1)}!`,
    unknown: newKey('test', '0'),
    revoked: revoked.key,
    expired: expired.key,
    'without scope': (await merchant.as({ scopes: ['verifications:read'] })).key,
    good: (await merchant.as({})).key,
  }
}

describe('[AUTH-3] [AUTH-4] [AUTH-8] 401 comes before 403 and 403 before 400, whatever the body', () => {
  test('for every combination of caller and body, and a refused caller does not have to send its body', async () => {
    await using service = await startService({ extra: probes })
    const keys = await keysOf(service)
    const cells = Object.entries(callers).flatMap(([caller, refusal]) =>
      Object.entries(bodies).map(([what, sent]) => ({
        caller: caller as keyof typeof callers,
        what,
        refusal,
        sent,
      })),
    )

    const responses = await Promise.all(
      cells.map(async ({ caller, sent }) => {
        using connection = openRawConnection(service.address)
        const length = 'length' in sent ? sent.length : sent.body.length
        const key = keys[caller] === undefined ? '' : `authorization: Bearer ${keys[caller]}\r\n`
        connection.write(
          `POST /v1/probe HTTP/1.1\r\nhost: x\r\n${key}${sent.head}\r\ncontent-length: ${length}\r\n\r\n${sent.body}`,
        )
        return await connection.readResponse()
      }),
    )

    expect(cells).toHaveLength(35)
    for (const [index, { caller, what, refusal, sent }] of cells.entries()) {
      const response = responses[index]
      expect({ caller, what, status: response?.status }).toEqual({
        caller,
        what,
        status: refusal ?? sent.status,
      })
    }
    // Only for an authorised caller does the service wait for a body that never arrives.
    const refusedLate = responses.filter(
      (response, index) => cells[index]?.refusal !== undefined && (response?.took_ms ?? 0) > 5000,
    )
    expect(refusedLate).toEqual([])
    const slow = responses[cells.findIndex(({ caller, what }) => caller === 'good' && what === 'slow')]
    expect(slow?.took_ms).toBeGreaterThan(14_000)
    expect(slow).toMatchObject({
      headers: { connection: 'close' },
      body: { error: { code: 'invalid_request' } },
    })

    const bad = ['no key', 'malformed', 'unknown', 'revoked']
    const refused = responses.filter((_, index) => bad.includes(cells[index]?.caller ?? ''))
    expect(new Set(refused.map((response) => response?.text)).size).toBe(1)
    for (const response of refused) expect(response?.body.error.code).toBe('invalid_api_key')
    const expired = responses.filter((_, index) => cells[index]?.caller === 'expired')
    for (const response of expired) expect(response?.body.error.code).toBe('api_key_expired')
  })

  test('100 Continue is sent only after the guard has passed', async () => {
    await using service = await startService({ extra: probes })
    const { key } = await service.tenant()
    const open = (bearer: string) => {
      const connection = openRawConnection(service.address)
      connection.write(
        `POST /v1/probe HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bearer}\r\nexpect: 100-continue\r\n` +
          'content-type: application/json\r\ncontent-length: 12\r\n\r\n',
      )
      return connection
    }
    using refused = open('nobody')
    expect(await refused.readResponse()).toMatchObject({ status: 401 })

    using welcome = open(key)
    const first = await new Promise<string>((resolve) =>
      welcome.socket.once('data', (chunk) => resolve(chunk.toString())),
    )
    expect(first).toMatch(/^HTTP\/1\.1 100 /)
    welcome.write('{"name":"x"}')
    expect(await welcome.readResponse()).toMatchObject({ status: 200 })
  })

  test('after a refused body, the connection is usable for the next request', async () => {
    await using service = await startService({ extra: probes })
    using connection = openRawConnection(service.address)
    const body = 'x'.repeat(1000)
    connection.write(`POST /v1/probe HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    connection.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')

    expect(await connection.readResponse()).toMatchObject({ status: 401 })
    expect(await connection.readResponse()).toMatchObject({ status: 200 })
  })
})
