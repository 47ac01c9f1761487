import { execFileSync } from 'node:child_process'
import { findPersona } from '@vidimus/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Service } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { putTemplate } from '../../templates/put-template.ts'
import { expireVerifications } from '../retention/expire.ts'

let service: Service
const log: string[] = []
beforeAll(async () => {
  service = await startService({ environment: { LOG_LEVEL: 'trace' }, onLog: (line) => log.push(line) })
})
afterAll(() => service[Symbol.asyncDispose]())

const pid = 'eu.europa.ec.eudi.pid.1'
const formats = {
  'dc+sd-jwt': {
    meta: { vct_values: ['urn:eudi:pid:1'] },
    paths: { family_name: ['family_name'], birth_date: ['birthdate'], nationality: ['nationalities', null] },
  },
  mso_mdoc: {
    meta: { doctype_value: pid },
    paths: {
      family_name: [pid, 'family_name'],
      birth_date: [pid, 'birth_date'],
      nationality: [pid, 'nationality'],
    },
  },
} as const
type Format = keyof typeof formats
const matches = { family_name: 'name', birth_date: 'date', nationality: 'exact' } as const
const allMatch = { family_name_matches: true, birth_date_matches: true, nationality_matches: true }

function comparing(format: Format, must: boolean): object {
  const { meta, paths } = formats[format]
  return {
    name: 'Known customer',
    description: 'Whether it is the customer that we know.',
    query: {
      credentials: [{ id: 'pid', format, meta, claims: Object.values(paths).map((path) => ({ path })) }],
    },
    claims: Object.fromEntries(
      Object.entries(paths).map(([name, path]) => [name, [{ credential: 'pid', path }]]),
    ),
    derive: Object.fromEntries(
      Object.entries(matches).map(([name, as]) => [`${name}_matches`, { from: name, matches: as }]),
    ),
    ...(must && { must: { birth_date_matches: { equals: true } } }),
  }
}

const setUp = async (format: Format = 'dc+sd-jwt', must = false) => {
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const template = comparing(format, must)
  expect(await putTemplate(service.ctx, { by, key: 'known', template })).toEqual([])
  const create = (expected: object, more: object = {}) =>
    merchant.post('/v1/verifications', { template: 'known', expected, ...more })
  const outcome = async (expected: object) => {
    const { body } = await create(expected)
    await respondUntilAccepted(service, body.wallet_uri, { persona: 'adult', format })
    return (await merchant.get(`/v1/verifications/${body.id}`)).body
  }
  return { merchant, create, outcome }
}

/** The adult's own birth date depends on today. */
const [stated] =
  findPersona('adult')
    ?.credentials(new Date())
    .flatMap(({ claims }) => ('birthdate' in claims ? [claims['birthdate']] : [])) ?? []
const birth_date = typeof stated === 'string' ? stated : expect.fail('the adult has no birth date')
const right = { family_name: 'MUSTERMANN', birth_date, nationality: 'DE' }

test.each<Format>(['dc+sd-jwt', 'mso_mdoc'])(
  '[TPL-8] a %s is compared: yes or no for each claim',
  async (format) => {
    const { outcome } = await setUp(format)
    const same = await outcome(right)
    expect([same.status, same.claims]).toEqual(['completed', allMatch])
    expect(same.credentials[0].claims).toEqual({})
    const other = await outcome({ ...right, family_name: 'Musterfrau', birth_date: '1901-02-03' })
    expect(other.claims).toEqual({ ...allMatch, family_name_matches: false, birth_date_matches: false })
  },
)

test.each<Format>(['dc+sd-jwt', 'mso_mdoc'])('must can require it, as %s', async (format) => {
  const { outcome } = await setUp(format, true)
  expect((await outcome(right)).status).toBe('completed')
  const { error, claims } = await outcome({ ...right, birth_date: '1901-02-03' })
  expect([error.code, claims]).toEqual(['requirement_not_met', undefined])
  expect(error.message).toContain('birth_date_matches must be true')
  expect(error.message).not.toMatch(/\d{4}-\d\d-\d\d/)
})

test.each([
  [{ family_name: 'M', birth_date: '1901-02-03' }, 'expected.nationality: is missing'],
  [{ ...right, email: 'a@b.example' }, 'expected: may have birth_date, family_name, nationality'],
  [{ ...right, birth_date: '03.02.1901' }, 'expected.birth_date: must be a date'],
  [{ ...right, family_name: '…' }, 'expected.family_name: must have a letter'],
  [{ ...right, birth_date: 1901 }, 'expected'],
  [{ ...right, family_name: 'x'.repeat(201) }, 'expected'],
  [[], 'expected'],
])('expected %j is refused', async (expected, message) => {
  const { create } = await setUp()
  const { status, body, text } = await create(expected)
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  expect(body.error.message).toContain(message)
  expect(text).not.toMatch(/1901|a@b|xxx/)
})

test('nothing is expected of a template that compares nothing; one that compares needs it', async () => {
  const { merchant } = await setUp()
  const post = async (body: object) => (await merchant.post('/v1/verifications', body)).body.error.message
  expect(await post({ template: 'age_over_18', expected: right })).toContain('this template compares nothing')
  expect(await post({ template: 'known' })).toContain('expected.birth_date: is missing')
  const device = { name: 'Till', allowed_templates: ['known'] }
  const { body } = await merchant.post('/v1/devices', device)
  expect(body.error.message).toContain('needs expected.birth_date, which only your own program can give')
  const { data } = (await merchant.get('/v1/templates')).body
  expect(data.find(({ key }: { key: string }) => key === 'known')).toMatchObject({
    claims: expect.arrayContaining(Object.keys(allMatch)),
    expected: expect.arrayContaining(Object.keys(matches)),
  })
})

test('[TPL-8] [ERASE-2] no expected and no disclosed value is stored once a verification has ended, however it ended, or logged ever', async () => {
  const { merchant, create } = await setUp()
  const expected = { family_name: 'Kanarienvogel', birth_date: '1907-11-13', nationality: 'KANARI' }
  const values = [...Object.values(expected), 'Mustermann', birth_date]
  const headers = { 'idempotency-key': 'comparison' }
  const pending = async () => {
    const { body } = await create(expected, { purpose: 'Known customer?', metadata: { order: '1' } })
    return body
  }
  const repeated = await merchant.post('/v1/verifications', { template: 'known', expected }, { headers })
  expect(
    await merchant.post('/v1/verifications', { template: 'known', expected }, { headers }),
  ).toMatchObject({
    status: 201,
    body: { id: repeated.body.id },
  })
  expect(repeated.text).not.toContain('Kanarienvogel')
  const [completed, cancelled, erased] = [await pending(), await pending(), await pending()]
  expect(await countExpected(merchant.tenant_id)).toBe(4)
  // Encrypted while pending.
  expect(findValues(dump(), values)).toEqual([])

  await respondUntilAccepted(service, completed.wallet_uri, { persona: 'adult' })
  expect(await countExpected(merchant.tenant_id)).toBe(3)
  expect((await merchant.post(`/v1/verifications/${cancelled.id}/cancel`)).status).toBe(200)
  expect((await merchant.delete(`/v1/verifications/${erased.id}`)).status).toBe(200)
  expect(await countExpected(merchant.tenant_id)).toBe(1)
  await setClockOffset(service.ctx.db, '10 minutes')
  await expireVerifications(service.ctx)
  expect(await countExpected(merchant.tenant_id)).toBe(0)

  const dumped = dump()
  expect(dumped).toContain(completed.id)
  expect(findValues(dumped, values)).toEqual([])
  expect(log.length).toBeGreaterThan(20)
  expect(findValues(log.join(''), values)).toEqual([])

  // The same search finds what is stored.
  await merchant.post('/v1/verifications', { template: 'age_over_18', metadata: expected })
  expect(findValues(dump(), values)).toEqual(Object.values(expected))
})

function dump(): string {
  return execFileSync('pg_dump', ['--data-only', service.database_url], { maxBuffer: 1 << 28 }).toString()
}

/** Those of the values that occur, in plain text or as PostgreSQL and Base64 write bytes. */
function findValues(text: string, values: readonly string[]): string[] {
  return values.filter((value) =>
    [value, Buffer.from(value).toString('hex'), Buffer.from(value).toString('base64').slice(0, -4)].some(
      (form) => text.includes(form),
    ),
  )
}

async function countExpected(tenant_id: string): Promise<number> {
  const [row] = await service.ctx.db.query<{ count: number }>(
    sql`select count(*) as count from verification_sessions where tenant_id = ${tenant_id} and expected is not null`,
  )
  return row?.count ?? -1
}
