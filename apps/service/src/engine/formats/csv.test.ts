import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { countTurns } from '../../../test/count-turns.ts'
import { csvLine, streamCsv } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
  ['a,b', '"a,b"'],
  ['say "no"', '"say ""no"""'],
  ['=HYPERLINK("https://x")', `"'=HYPERLINK(""https://x"")"`],
  ['two\nlines', '"two\nlines"'],
  ['', ''],
])('a spreadsheet shows the cell %j as text', (cell, written) => {
  expect(csvLine([cell, 1, true, undefined])).toBe(`${written},1,true,\r\n`)
})

test('a download ends its source when the client disconnects, and reads no further than it is read', async () => {
  let produced = 0
  let ended = false
  let released = 0
  async function* lines() {
    try {
      for (;;) {
        produced += 1
        yield csvLine(['x'.repeat(10_000)])
      }
    } finally {
      ended = true
    }
  }
  const stream = await streamCsv(lines(), () => (released += 1))
  await new Promise((resolve) => stream.once('readable', resolve))
  expect(produced).toBeLessThan(100)
  stream.destroy()
  await new Promise((resolve) => stream.once('close', resolve))
  await new Promise(setImmediate)
  expect([ended, released]).toEqual([true, 1])
})

test('an error before the first line is thrown, and the slot is released', async () => {
  let released = 0
  async function* failing() {
    yield await Promise.reject<string>(new Error('no database'))
  }
  await expect(streamCsv(failing(), () => (released += 1))).rejects.toThrow('no database')
  async function* short() {
    yield csvLine(['a'])
    yield csvLine(['b'])
  }
  expect(await text(await streamCsv(short(), () => (released += 1)))).toBe('a\r\nb\r\n')
  await new Promise(setImmediate)
  expect(released).toBe(2)
})

test('other requests are served while a download is written', async () => {
  async function* lines() {
    for (let written = 0; written < 5000; written += 1) yield csvLine(['x'.repeat(200)])
  }
  const turns = await countTurns(async () =>
    expect(await text(await streamCsv(lines(), () => {}))).toHaveLength(5000 * 202),
  )
  expect(turns).toBeGreaterThan(25)
})
