import { expect, test } from 'vitest'
import { newPairingCode } from './register.ts'

const draw = (config: { CELL: string; CELLS?: string[] }) =>
  Array.from({ length: 1000 }, () => newPairingCode({ CELLS: undefined, ...config }))
const firsts = (codes: string[]) => new Set(codes.map((code) => code.charAt(3)))

test('among several cells a pairing code begins with its cell and keeps its shape; alone, every character is random', () => {
  const shared = draw({ CELL: 'b', CELLS: ['a', 'b'] })
  expect(firsts(shared)).toEqual(new Set(['B']))
  expect(new Set(shared).size).toBe(1000)
  const alone = draw({ CELL: 'b' })
  // 32 characters in 1,000 draws: one is missing with a probability of 5 in 10¹³.
  expect(firsts(alone).size).toBe(32)
  for (const code of [...shared, ...alone])
    expect(code).toMatch(/^VD-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
})
