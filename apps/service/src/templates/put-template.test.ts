import { expect, test } from 'vitest'
import { startService } from '../../test/service.ts'
import { sql } from '../engine/db/sql.ts'
import { readBuiltInTemplates } from './built-in/read-built-in.ts'
import { listTemplates } from './list-templates.ts'
import { putTemplate } from './put-template.ts'

const template = {
  name: 'Given name',
  description: 'The given name of a PID.',
  query: {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['given_name'] }],
      },
    ],
  },
  claims: { given_name: [{ credential: 'pid', path: ['given_name'] }] },
  must: { given_name: { not_empty: true } },
}

test('[CREATE-3] a tenant has its own templates in addition to the built-in ones, and may not use their keys', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const other = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const create = (caller: typeof merchant) => caller.post('/v1/verifications', { template: 'given_name' })

  expect((await create(merchant)).status).toBe(422)
  expect(await putTemplate(service.ctx, { key: 'given_name', template, by })).toEqual([])
  expect((await create(merchant)).status).toBe(201)
  expect((await create(other)).status).toBe(422)
  expect(await putTemplate(service.ctx, { key: 'age_over_18', template, by })).toEqual([
    { place: 'key', rule: 'belongs to a built-in template' },
  ])
  for (const key of ['', 'k'.repeat(65), 'a\0', '\ud800']) {
    expect(await putTemplate(service.ctx, { key, template, by })).not.toEqual([])
  }
  const listed = await listTemplates(service.ctx, merchant.tenant_id)
  expect(listed.filter(({ built_in }) => !built_in)).toEqual([
    {
      key: 'given_name',
      name: 'Given name',
      description: 'The given name of a PID.',
      built_in: false,
      updated_at: expect.any(String),
    },
  ])
  expect(await listTemplates(service.ctx, undefined)).toHaveLength(readBuiltInTemplates().size)
})

test('a verification keeps the version it was created with', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const versionOfNext = async () => {
    const { body } = await merchant.post('/v1/verifications', { template: 't' })
    const [row] = await service.ctx.db.query<{ body: { name: string } }>(sql`
      select v.body from verification_sessions s join template_versions v on v.hash = s.template_version
      where s.id = ${body.id}`)
    return row?.body.name
  }

  await putTemplate(service.ctx, { key: 't', template, by })
  const before = await versionOfNext()
  await putTemplate(service.ctx, { key: 't', template: { ...template, name: 'Changed' }, by })

  expect([before, await versionOfNext()]).toEqual(['Given name', 'Changed'])
  const [versions] = await service.ctx.db.query(
    sql`select count(distinct template_version) as n from verification_sessions`,
  )
  expect(versions).toEqual({ n: 2 })
})

test('an invalid template is reported by place and rule, and nothing changes', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const

  for (const wrong of [
    null,
    [],
    'x',
    {},
    { ...template, query: {} },
    { ...template, must: { other: { not_empty: true } } },
  ]) {
    const violations = await putTemplate(service.ctx, { key: 't', template: wrong, by })
    expect(violations[0]).toEqual({ place: expect.any(String), rule: expect.any(String) })
  }
  expect(await service.ctx.db.query(sql`select key from templates`)).toEqual([])
})
