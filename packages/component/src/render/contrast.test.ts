import { expect, test } from 'vitest'
import { contrastOf, parseColour, textOn, type Rgb } from './contrast.ts'

test.each([
  ['rgb(122, 31, 61)', [122 / 255, 31 / 255, 61 / 255]],
  ['color(srgb 0.5 0.25 1)', [0.5, 0.25, 1]],
  ['color(srgb 0.5 0.25 1 / 0.5)', undefined],
  ['rgba(0, 0, 0, 0)', undefined],
  ['oklch(0.5 0.1 200)', undefined],
  ['color(display-p3 1 0 0)', undefined],
  ['', undefined],
])('the computed colour %s is read', (computed, expected) => {
  expect(parseColour(computed)).toEqual(expected)
})

test('contrast is that of WCAG', () => {
  expect(contrastOf([0, 0, 0], [1, 1, 1])).toBeCloseTo(21)
  // #767676 on white is the usual example of just enough.
  expect(contrastOf([0x76 / 255, 0x76 / 255, 0x76 / 255], [1, 1, 1])).toBeCloseTo(4.54, 2)
})

test('text on any colour has a contrast of at least 4.5', () => {
  const steps = Array.from({ length: 18 }, (_, step) => step / 17)
  const colours = steps.flatMap((red) =>
    steps.flatMap((green) => steps.map((blue): Rgb => [red, green, blue])),
  )
  const worst = Math.min(
    ...colours.map((colour) => contrastOf(colour, textOn(colour) === 'white' ? [1, 1, 1] : [0, 0, 0])),
  )

  expect(colours).toHaveLength(5832)
  expect(worst).toBeGreaterThan(4.5)
})
