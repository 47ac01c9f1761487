import fc from 'fast-check'

/**
 * One change to something right, as numbers: where, what, and with what. What they come to depends on the thing, so that
 * any edit fits anything, can be shrunk, and can be repeated from the seed.
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
