import { expect, test } from 'vitest'
import { dayLiteral, cachedDayLiteral, sql, toStatement } from './sql.ts'

test('a value becomes a parameter, never part of the text', () => {
  const hostile = `'; drop table sessions; --`
  const { text, values } = toStatement(sql`select ${hostile}::text`)

  expect(text).toBe('select $1::text')
  expect(values).toEqual([hostile])
})

test('fragments are spliced in and their parameters renumbered', () => {
  const mine = sql`tenant_id = ${7} and id = ${'x'}`
  const { text, values } = toStatement(sql`select 1 where ${mine} or (${mine}) limit ${5}`)

  expect(text).toBe('select 1 where tenant_id = $1 and id = $2 or (tenant_id = $3 and id = $4) limit $5')
  expect(values).toEqual([7, 'x', 7, 'x', 5])
})

test('an object that only looks like an SQL fragment stays a value', () => {
  const forged = { texts: ['1; drop table sessions'], values: [] }
  const { text, values } = toStatement(sql`select ${forged}`)

  expect(text).toBe('select $1')
  expect(values).toEqual([forged])
})

test('equal texts share a name, different texts do not', () => {
  const name = (id: number) => toStatement(sql`select ${id}`).name

  expect(name(1)).toBe(name(2))
  expect(name(1)).not.toBe(toStatement(sql`select ${1} + 1`).name)
})

test('a day becomes part of the text, and such a statement has no name', () => {
  const statement = toStatement(sql`select ${1} where day = ${dayLiteral('2026-11-15')} and id = ${'x'}`)

  expect(statement).toEqual({ text: `select $1 where day = date '2026-11-15' and id = $2`, values: [1, 'x'] })
  for (const day of ['2026-11-15; drop table', "2026-11-15'", '26-11-15', '']) {
    expect(() => dayLiteral(day)).toThrow('not a day')
  }
})

test('the plan of a lookup is kept for days near today and for no other day that a caller can name', () => {
  const named = (days: number) => {
    const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const { name, text } = toStatement(sql`select 1 where day = ${cachedDayLiteral(day)}`)
    expect(text).toBe(`select 1 where day = date '${day}'`)
    return name !== undefined
  }

  expect([-1, 0, 1].map(named)).toEqual([true, true, true])
  expect([-4000, -3, 3, 4000].map(named)).toEqual([false, false, false, false])
  expect(() => cachedDayLiteral("2026-11-15'")).toThrow('not a day')
})
