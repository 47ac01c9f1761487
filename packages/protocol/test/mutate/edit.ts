import fc from 'fast-check'

/**
 * One change to a valid value, as numbers: where, what, and with what. Their meaning depends on the value, so that any edit
 * applies to any value, can be shrunk, and can be repeated from the seed.
 */
export type Edit = { where: number; what: number; value: number; length: number }

export const edits: fc.Arbitrary<Edit> = fc.record({
  where: fc.nat(),
  what: fc.nat(),
  value: fc.nat(),
  length: fc.nat({ max: 40 }),
})

export function pick<T>(choices: readonly T[], number: number): T {
  const choice = choices[number % choices.length]
  if (choice === undefined) throw new Error('there is nothing to choose from')
  return choice
}
