import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startService } from '../../test/service.ts'
import { decodeJwt } from '../../test/decode-jwt.ts'
import { openBuiltInTemplates } from './open-built-in.ts'
import { readPidTypes } from './pid-types.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-pid-types-'))
const file = join(folder, 'types.json')
afterAll(() => rmSync(folder, { recursive: true }))

function write(content: unknown): string {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const austria = {
  vct: 'urn:eudi:pid:at:1',
  age: { 'dc+sd-jwt': ['ages', 'over_NN'], mso_mdoc: ['eu.europa.ec.eudi.pid.at.1', 'over_NN'] },
  source: 'Austrian PID',
}

test('the shipped table has the types of Germany, the Netherlands and Italy', () => {
  expect(readPidTypes().map(({ vct }) => vct)).toEqual([
    'urn:eudi:pid:de:1',
    'urn:eudi:pid:nl:1',
    'urn:eudi:pid:it:1',
  ])
})

test("an operator's table replaces it in every template that asks for a PID, and is asked of wallets", async () => {
  await using service = await startService({ environment: { PID_TYPES_FILE: write([austria]) } })
  const merchant = await service.tenant()
  const askedOf = async (template: string) => {
    const { body } = await merchant.post('/v1/verifications', { template })
    const { claims } = decodeJwt((await service.anonymous.get(`/wallet/request/${body.id}`)).text)
    return JSON.stringify(claims['dcql_query'])
  }
  for (const template of ['age_over_18', 'age_over_18_photo', 'identity_basic', 'address', 'pid_full']) {
    const asked = await askedOf(template)
    expect(asked).toContain('["urn:eudi:pid:1","urn:eudi:pid:at:1"]')
    expect(asked).not.toContain('urn:eudi:pid:de:1')
  }
  for (const path of ['["ages","over_21"]', '["eu.europa.ec.eudi.pid.at.1","over_21"]'])
    expect(await askedOf('age_over_21_strict')).toContain(path)
})

test('without national types, the base type is still requested', () => {
  const templates = openBuiltInTemplates({ PID_TYPES_FILE: write([]) })
  expect(templates.get('age_over_18')?.body).toContain('"vct_values":["urn:eudi:pid:1"]')
})

describe('a mistake is described with file and member', () => {
  const many = Array.from({ length: 41 }, (_, index) => ({ ...austria, vct: `urn:eudi:pid:at:${index}` }))
  // Libraries of other tests in the same process may have changed how Zod words its messages.
  test.each<[string, unknown, string | RegExp]>([
    ['not JSON', '{', `PID_TYPES_FILE names ${file}, which is not JSON`],
    ['no list', {}, /types\.json: the file: .*expected array/],
    ['too many', many, /types\.json: the file: .*array.*40/],
    ['too large', ' '.repeat(1_048_577), `${file} has more than 1048576 bytes`],
    ['unknown member', [{ ...austria, doctype: 'x' }], /types\.json: 0: .*"doctype"/],
    ['no source', [{ vct: 'x' }], `${file}: 0.source:`],
    ['a type with a space', [{ ...austria, vct: 'a b' }], `${file}: 0.vct: must be 1-200 printable`],
    ['the base type', [{ ...austria, vct: 'urn:eudi:pid:1' }], `${file}: 0.vct: is the base type`],
    ['a type twice', [austria, austria], `${file}: 1.vct: is listed twice`],
    [
      'an age without years',
      [{ ...austria, age: { 'dc+sd-jwt': ['adult'] } }],
      `${file}: 0.age.dc+sd-jwt: must contain NN`,
    ],
    [
      'an mdoc path without a namespace',
      [{ ...austria, age: { mso_mdoc: ['over_NN'] } }],
      `${file}: 0.age.mso_mdoc: must be a namespace and an element`,
    ],
    [
      'an age inside the birth date',
      [{ ...austria, age: { 'dc+sd-jwt': ['birthdate', 'NN'] } }],
      'PID_TYPES_FILE makes the template age_over invalid: derive.age_over_10',
    ],
  ])('%s', (_, content, message) => {
    write(content)
    expect(() => openBuiltInTemplates({ PID_TYPES_FILE: file })).toThrow(message)
  })

  test('a missing file', () => {
    expect(() => readPidTypes(join(folder, 'absent'))).toThrow(
      `PID_TYPES_FILE names ${join(folder, 'absent')}, which does not exist`,
    )
  })
})
