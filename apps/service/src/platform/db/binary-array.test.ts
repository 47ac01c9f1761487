import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import {
  binaryArray,
  binaryIntegers,
  booleanElement,
  dateElement,
  jsonbElement,
  uuidElement,
} from './binary-array.ts'
import { openDatabase } from './open.ts'
import { sql, type Sql } from './sql.ts'

const database = await createTestDatabase()
const db = openDatabase({ url: database.url, poolSize: 1 })
afterAll(async () => {
  await db.close()
  await database[Symbol.asyncDispose]()
})

async function readBack(array: Sql): Promise<unknown> {
  const [row] = await db.query<{ elements: unknown }>(sql`select to_jsonb(${array}) as elements`)
  return row?.elements
}

test('PostgreSQL reads the elements of every type as they were written', async () => {
  const texts = ['', 'plain', 'quote " comma , brace } backslash \\', 'NULL', 'ä€😀', 'two\nlines', null]
  const uuids = [randomUUID(), null, randomUUID()]
  const objects = [{ order: 'A-1', ä: '"€"' }, null, { b: [1, null, { c: '' }] }]
  const days = ['1999-12-31', '2000-01-01', '2026-02-28', '2028-02-29']

  expect(await readBack(sql`${binaryArray('text', texts)}::text[]`)).toEqual(texts)
  expect(await readBack(sql`${binaryArray('uuid', uuids.map(uuidElement))}::uuid[]`)).toEqual(uuids)
  expect(await readBack(sql`${binaryArray('jsonb', objects.map(jsonbElement))}::jsonb[]`)).toEqual(objects)
  expect(await readBack(sql`${binaryIntegers('date', days.map(dateElement))}::date[]`)).toEqual(days)
  expect(await readBack(sql`${binaryIntegers('integer', [0, -1, 2 ** 31 - 1])}::integer[]`)).toEqual([
    0,
    -1,
    2 ** 31 - 1,
  ])
  expect(await readBack(sql`${binaryArray('bytea', [Buffer.from([0, 255]), null])}::bytea[]`)).toEqual([
    '\\x00ff',
    null,
  ])
  expect(await readBack(sql`${binaryArray('bigint', [Buffer.alloc(8, 255)])}::bigint[]`)).toEqual([-1])
  expect(
    await readBack(
      sql`${binaryArray('boolean', [booleanElement(true), null, booleanElement(false)])}::boolean[]`,
    ),
  ).toEqual([true, null, false])
})

test('an array without any value is null', async () => {
  expect(binaryArray('text', [null, null])).toBe(null)
  expect(binaryArray('text', [])).toBe(null)
})
