import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { checkQuery, checkTemplate, type Template } from '@vidimus/protocol'
import { describe, expect, test } from 'vitest'
import { readPidTypes } from '../pid-types.ts'
import { readBoundTemplates } from '../../../test/bound-templates.ts'

const templates = readBoundTemplates()
const entries = [...templates].map(([key, template]) => ({ key, template }))
const formatsOf = ({ query }: Template) => new Set(query.credentials.map(({ format }) => format))
const get = (key: string) => {
  const template = templates.get(key)
  if (template === undefined) throw new Error(`no template ${key}`)
  return template
}

test('every file of a built-in template is listed', () => {
  const files = readdirSync(new URL('.', import.meta.url))
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))

  expect([...templates.keys()]).toEqual(expect.arrayContaining(files))
})

describe.each(entries)('$key', ({ key, template }) => {
  test('is valid, and names its sources', () => {
    expect(key).toMatch(/^[a-z0-9_.]{1,64}$/)
    expect(checkTemplate(template)).toEqual([])
    expect(checkQuery(template.query)).toEqual([])
    expect(template.sources?.length).toBeGreaterThan(0)
  })

  test('[TPL-4] names every claim that it requests', () => {
    const requested = template.query.credentials.flatMap(({ id, claims }) =>
      (claims as { path: unknown }[]).map(({ path }) => JSON.stringify([id, path])),
    )
    const named = Object.values(template.claims ?? {})
      .flat()
      .map(({ credential, path }) => JSON.stringify([credential, path]))
    expect(named.toSorted()).toEqual(requested.toSorted())
  })
})

test.each([
  'address',
  'age_over_18',
  'age_over_18_strict',
  'age_over_18_photo',
  'identity_basic',
  'pid_full',
])('%s can be satisfied in both formats', (key) => {
  expect(formatsOf(get(key))).toEqual(new Set(['mso_mdoc', 'dc+sd-jwt']))
})

describe.each([16, 18, 21])('age over %i', (years) => {
  const name = `age_over_${years}`

  test('must be true', () => {
    expect(get(name).must).toEqual({ [name]: { equals: true } })
    expect(get(`${name}_strict`).must).toEqual({ [name]: { equals: true } })
  })

  test('[TPL-6] is derived from the birth date, which the strict template does not request', () => {
    expect(get(name).derive).toEqual({ [name]: { from: 'birth_date', at_least_years: years } })
    expect(get(`${name}_strict`)).not.toHaveProperty('derive')
    expect(JSON.stringify(get(`${name}_strict`))).not.toMatch(/birth_?date/)
  })
})

test.each([
  'address',
  'age_over_18',
  'age_over_18_photo',
  'age_over_18_strict',
  'identity_basic',
  'pid_full',
])('%s asks for the base type and all national ones in one query, and names their sources', (key) => {
  const { query, sources } = get(key)
  const types = readPidTypes()
  expect(
    query.credentials.flatMap(({ meta }) => (meta as { vct_values?: string[] }).vct_values ?? []),
  ).toEqual(['urn:eudi:pid:1', ...types.map(({ vct }) => vct)])
  expect(sources).toEqual(expect.arrayContaining(types.map(({ source }) => source)))
})

test('age with portrait requires a portrait', () => {
  expect(get('age_over_18_photo').must).toEqual({
    age_over_18: { equals: true },
    portrait: { not_empty: true },
  })
})
