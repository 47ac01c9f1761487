/** Red, green and blue, each from 0 to 1. */
export type Rgb = readonly [number, number, number]

/** Reads `rgb(…)`, and the `color(srgb …)` that `color-mix` computes to. Undefined for anything else, and for what is not opaque. */
export function parseColour(computed: string): Rgb | undefined {
  const [, kind, list] = /^(rgba?|color)\((?:srgb )?([^)]*)\)$/.exec(computed) ?? []
  if (kind === undefined || list === undefined) return undefined
  const numbers = list.split(/[\s,/]+/).map(Number)
  const [red, green, blue, alpha = 1] = numbers
  if (red === undefined || green === undefined || blue === undefined) return undefined
  if (numbers.some(Number.isNaN) || alpha < 1) return undefined
  return kind === 'color' ? [red, green, blue] : [red / 255, green / 255, blue / 255]
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminanceOf([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

const white: Rgb = [1, 1, 1]
const black: Rgb = [0, 0, 0]

/** White or black, whichever is easier to read. One of them always reaches 4.5:1. */
export function textOn(background: Rgb): 'white' | 'black' {
  return contrastOf(background, white) >= contrastOf(background, black) ? 'white' : 'black'
}
