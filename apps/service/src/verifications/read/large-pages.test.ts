import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { maxResponseBytesInUse } from '../../engine/http/server/server.ts'
import { sql } from '../../engine/db/sql.ts'
import { maxPage_bytes } from './list-verifications.ts'

test('[CREATE-7] metadata has at most 50 members and 8 KiB, a query at most 32 KiB', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const create = async (more: object) => {
    const { status, body } = await merchant.post('/v1/verifications', { template: 'age_over_18', ...more })
    return status === 201 ? status : body.error.message
  }
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`key ${number}`, '']))
  const query = (vct: string) => ({
    template: undefined,
    query: { credentials: [{ id: 'a', format: 'dc+sd-jwt', meta: { vct_values: [vct] } }] },
  })

  expect(await create({ metadata: members(50) })).toBe(201)
  expect(await create({ metadata: members(51) })).toContain('metadata: must have at most 50 members.')
  expect(await create({ metadata: { a: 'x'.repeat(8191) } })).toBe(201)
  expect(await create({ metadata: { a: 'é'.repeat(4096) } })).toContain('8192 bytes')
  expect(await create(query('x'.repeat(30_000)))).toBe(201)
  expect(await create(query('x'.repeat(33_000)))).toContain('32768 characters')
})

/** Verifications as earlier versions allowed them, with 200 kB of metadata each. */
async function makeLarge(service: Service, merchant: Merchant, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1)
    ids.push((await merchant.post('/v1/verifications', { template: 'age_over_18' })).body.id)
  await service.ctx.db.execute(sql`
    update verification_sessions set metadata = jsonb_build_object('text', repeat('x', 200000))
    where day = service_day() and tenant_id = ${merchant.tenant_id}`)
  return ids.toReversed()
}

test('a page of more than 8 MiB is refused, large pages are read one at a time, and smaller pages return every verification', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const ids = await makeLarge(service, merchant, 45)

  const refused = await merchant.get('/v1/verifications?limit=100')
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining(
      `This page has more than ${maxPage_bytes.large / 2 ** 20} MiB. Request fewer verifications with limit.`,
    ),
  ])
  const walked: string[] = []
  for (let before = ''; ;) {
    const { body } = await merchant.get(`/v1/verifications?limit=20${before}`)
    walked.push(...body.data.map(({ id }: { id: string }) => id))
    if (body.data.length < 20) break
    before = `&before=${body.data.at(-1).created_at}`
  }
  expect(walked).toEqual(ids)
  // Beside other tenants they would wait for their turn.
  const statuses = await Promise.all(
    Array.from({ length: 6 }, () => merchant.get('/v1/verifications?limit=20')),
  )
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200, 429]))
})

test('responses that a tenant does not read occupy bounded memory', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const other = await service.tenant()
  await makeLarge(service, merchant, 40)
  const { hostname, port } = new URL(service.address)
  const open = () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    return socket
  }
  const request = `GET /v1/verifications?limit=40 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${merchant.key}\r\n\r\n`
  const sockets: ReturnType<typeof open>[] = []
  const statuses: string[] = []
  const page_bytes = 40 * 200_000
  // More than the kernel buffers for a client that does not read; the first response beyond the limit is refused.
  for (let sent = 0; sent <= maxResponseBytesInUse.each / page_bytes + 2; sent += 1) {
    const socket = open()
    sockets.push(socket)
    socket.write(request)
    statuses.push(
      await new Promise<string>((resolve) => {
        socket.once('data', (bytes) => {
          socket.pause()
          resolve(bytes.toString('latin1', 9, 12))
        })
      }),
    )
  }
  expect(statuses[0]).toBe('200')
  expect(statuses.at(-1)).toBe('429')
  expect((await other.get('/v1/verifications')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await merchant.get('/v1/verifications?limit=40')).status).toBe(200)
})
