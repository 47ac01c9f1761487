import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { runNamed } from './named-query.ts'
import { valueParsers } from './value-parsers.ts'

async function connect() {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.url, types: valueParsers })
  client.on('error', () => {
    // The statement rejects with the same error.
  })
  await client.connect()
  await client.query('create table notes (id int primary key, body text)')
  let described = 0
  client.connection.on('rowDescription', () => void (described += 1))
  return Object.assign(client, {
    descriptions: () => described,
    async [Symbol.asyncDispose]() {
      await client.end()
      await database[Symbol.asyncDispose]()
    },
  })
}

test("a named statement returns what the driver's own query returns, and is described once", async () => {
  await using client = await connect()
  const values = [
    'text',
    7,
    true,
    null,
    ['a', 'b"c', null],
    Buffer.from([0, 255]),
    { member: [1] },
    '2026-01-15T12:00:00.5Z',
  ]
  const text = `
    select $1::text as a, $2::int as b, $3::bool as c, $4::text as d, $5::text[] as e, $6::bytea as f, $7::jsonb as g,
      $8::timestamptz as h, 9007199254740991::int8 as i, date '2026-01-15' as j, n, '' as k, null as l
    from generate_series(1, 3) as n`
  const { rows, rowCount, command } = await client.query({ text, values })
  const before = client.descriptions()

  for (let round = 0; round < 3; round += 1)
    expect(await runNamed(client, { name: 'all', text, values })).toEqual({ rows, rowCount, command })
  expect(client.descriptions() - before).toBe(1)
})

test('a statement without rows reports how many it affected', async () => {
  await using client = await connect()
  const insert = {
    name: 'insert',
    text: 'insert into notes select n from generate_series($1::int, $2::int) n',
  }

  expect(await runNamed(client, { ...insert, values: [1, 3] })).toEqual({
    rows: [],
    rowCount: 3,
    command: 'INSERT',
  })
  expect(await runNamed(client, { ...insert, values: [4, 4] })).toMatchObject({ rowCount: 1 })
  const update = { name: 'update', text: 'update notes set body = $1 returning id', values: ['x'] }
  expect(await runNamed(client, update)).toMatchObject({ rowCount: 4, command: 'UPDATE' })
})

test('after an error the connection and the statement are usable', async () => {
  await using client = await connect()
  const divide = { name: 'divide', text: 'select 6 / $1::int as result' }

  await expect(runNamed(client, { ...divide, values: [0] })).rejects.toMatchObject({
    code: '22012',
    stack: expect.stringContaining('named-query'),
  })
  for (const [divisor, result] of [
    [3, 2],
    [2, 3],
  ])
    expect(await runNamed(client, { ...divide, values: [divisor] })).toMatchObject({ rows: [{ result }] })
  await expect(runNamed(client, { ...divide, values: [0] })).rejects.toMatchObject({ code: '22012' })
  await expect(runNamed(client, { name: 'wrong', text: 'selec 1', values: [] })).rejects.toMatchObject({
    code: '42601',
  })
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  await expect(runNamed(client, { ...divide, values: [circular] })).rejects.toThrow('circular')
  expect(await runNamed(client, { ...divide, values: [1] })).toMatchObject({ rows: [{ result: 6 }] })
})

test('a statement whose columns changed is refused, never read with the old columns', async () => {
  await using client = await connect()
  const select = { name: 'select', text: 'select * from notes', values: [] }
  await client.query("insert into notes values (1, 'x')")
  expect(await runNamed(client, select)).toMatchObject({ rows: [{ id: 1, body: 'x' }] })

  await client.query('alter table notes add added int, alter id type text')
  await expect(runNamed(client, select)).rejects.toMatchObject({ code: '0A000' })
})

test('a lost connection rejects the statement', async () => {
  await using client = await connect()
  const sleep = { name: 'sleep', text: 'select pg_sleep($1)' }
  await runNamed(client, { ...sleep, values: [0] })
  const sleeping = runNamed(client, { ...sleep, values: [60] })
  client.connection.stream.destroy(new Error('cut'))

  await expect(sleeping).rejects.toThrow('cut')
  await expect(runNamed(client, { ...sleep, values: [0] })).rejects.toThrow('not queryable')
})
