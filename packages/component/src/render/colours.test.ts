import { expect, test } from 'vitest'
import { parseColour } from './colours.ts'

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
