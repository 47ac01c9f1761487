import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { probes } from '../../../test/probes.ts'
import { sendRaw } from '../../../test/network/raw-connection.ts'
import { startService } from '../../../test/service.ts'
import { newKey } from '../../accounts/api-keys/authenticate-key.ts'
import { sql } from '../db/sql.ts'
import { openLog } from './log.ts'
import { newVerificationId } from '../basics/ids.ts'

const random = (bytes = 24) => randomBytes(bytes).toString('base64url')

/** A realistic example of every kind of secret that GEN-9 names. */
function oneOfEach(): Record<string, string> {
  return {
    'API key': newKey('live', '0'),
    'malformed key': `vk_live_${random()}`,
    'access token': `vd_${random()}`,
    'refresh token': `vdr_${random()}`,
    'pairing code': 'VD-7K3F-9QWX',
    'response code': random(),
    'webhook secret': `whsec_${random()}`,
    'claim value': 'Mustermann-Gabler',
    'verification id': newVerificationId('0', '2026-11-15'),
    'wallet response': `eyJhbGciOiJFQ0RILUVTIn0..${random()}.${random()}.${random()}`,
  }
}

test('[GEN-9] no kind of secret reaches the log, wherever a caller puts it', async () => {
  const lines: string[] = []
  await using service = await startService({
    extra: probes,
    environment: { LOG_LEVEL: 'trace', TRUSTED_PROXIES: '127.0.0.0/8' },
    onLog: (line) => lines.push(line),
  })
  const merchant = await service.tenant()
  const json = 'content-type: application/json'
  const secrets = Object.values(oneOfEach())

  for (const secret of secrets) {
    const body = JSON.stringify({ name: secret, [secret]: secret })
    const bodies = [body, body.slice(0, -1), secret, JSON.stringify({ name: 'x', more: `${secret}\0` })]
    const heads = [
      `authorization: Bearer ${secret}`,
      `authorization: Basic ${secret}`,
      `authorization: Bearer ${merchant.key}\r\nidempotency-key: ${secret}`,
      `x-request-id: ${secret}`,
      `traceparent: ${secret}`,
      `traceparent: 00-${secret}`,
      `x-forwarded-for: ${secret}`,
      `user-agent: ${secret}`,
      `cookie: session=${secret}`,
      `content-type: ${secret}`,
      `${secret.replaceAll(/[^A-Za-z0-9-]/g, '-')}: x`,
      `origin: ${secret}`,
      `host: ${secret}`,
    ]
    const paths = [
      `/v1/verifications/${secret}`,
      `/v1/verifications/${secret}/status`,
      `/v1/probe/${secret}/status`,
      `/v1/probe?q=${secret}`,
      `/v1/probe?${secret}=1`,
      `/wallet/probe/${secret}`,
      `/${secret}`,
      `/v1/probe/fault?${secret}`,
    ]
    const requests = [
      ...heads.map((head) => `GET /v1/probe HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`),
      ...paths.flatMap((path) => [
        `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${merchant.key}\r\n\r\n`,
        `DELETE ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${merchant.key}\r\n\r\n`,
      ]),
      ...['/v1/probe', '/v1/probe/fault', '/v1/verifications', '/wallet/probe/x'].flatMap((path) =>
        bodies.flatMap((each) => [
          `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${merchant.key}\r\n${json}\r\ncontent-length: ${Buffer.byteLength(each)}\r\n\r\n${each}`,
          `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${Buffer.byteLength(each)}\r\n\r\n${each}`,
        ]),
      ),
      `${secret} /v1/probe HTTP/1.1\r\nhost: x\r\n\r\n`,
      `GET ${secret}\r\n\r\n`,
      `GET /healthz HTTP/1.1\r\nhost: x\r\n${secret}\r\n\r\n`,
    ]
    await Promise.all(requests.map((bytes) => sendRaw(service.address, bytes)))
  }

  const log = lines.join('')
  expect(lines.length).toBeGreaterThan(500)
  expect(lines.some((line) => line.includes('"level":"error"'))).toBe(true)
  for (const secret of [...secrets, merchant.key, merchant.webhook_secret]) {
    expect([secret.slice(0, 8), log.includes(secret)]).toEqual([secret.slice(0, 8), false])
    expect(log.includes(encodeURIComponent(secret))).toBe(false)
  }
})

test('[GEN-9] a verification is logged under the same keyed hash everywhere', async () => {
  const lines: string[] = []
  await using service = await startService({ extra: probes, onLog: (line) => lines.push(line) })
  const id = newVerificationId('0', '2026-11-15')
  for (const path of [`/v1/probe/${id}/status`, `/v1/verifications/${id}/status`])
    await service.anonymous.get(path)
  await service.anonymous.get('/v1/probe/another/status')

  const verifications = lines
    .map((line) => JSON.parse(line))
    .flatMap(({ verification }) => verification ?? [])
  expect(verifications).toHaveLength(3)
  expect(verifications[0]).toBe(verifications[1])
  expect(verifications[2]).not.toBe(verifications[0])
  expect(verifications[0]).toMatch(/^[\w-]{22}$/)
})

test('a health check that succeeds is logged at level debug only, and one that fails at level info', async () => {
  const checkAt = async (LOG_LEVEL: string) => {
    const lines: string[] = []
    await using service = await startService({
      environment: { LOG_LEVEL },
      onLog: (line) => lines.push(line),
    })
    for (const path of ['/healthz', '/readyz']) await service.anonymous.get(path)
    await service.ctx.db.execute(sql`delete from schema_migrations where name like '0001%'`)
    await expect.poll(async () => (await service.anonymous.get('/readyz')).status).toBe(503)
    const logged = lines.map((line) => JSON.parse(line)).filter(({ route }) => route !== undefined)
    return new Set(logged.map(({ route, status }) => `${route} ${status}`))
  }

  expect(await checkAt('info')).toEqual(new Set(['/readyz 503']))
  expect(await checkAt('debug')).toEqual(new Set(['/healthz 200', '/readyz 200', '/readyz 503']))
})

test('a field that must not be logged is redacted if someone logs it', () => {
  const lines: string[] = []
  const log = openLog({ LOG_LEVEL: 'info' }, { write: (line) => void lines.push(line) })
  const error = new Error('duplicate key value: Key (name)=("Mustermann") of vk_live_abc', {
    cause: new SyntaxError(`Unexpected token, "{'claims'" is not valid JSON`),
  })
  log.info(
    { key: 's1', headers: { authorization: 's2' }, deep: { list: [{ claims: 's3' }], fine: 'shown' } },
    'm',
  )
  log.error({ err: error }, 'm')

  expect(lines.join('')).not.toMatch(/"s\d"|Mustermann|vk_live_abc|'claims'/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', message: 'm', deep: { fine: 'shown' } })
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({
    err: { type: 'Error', stack: expect.stringContaining('log.test.ts'), cause: { type: 'SyntaxError' } },
  })
})
