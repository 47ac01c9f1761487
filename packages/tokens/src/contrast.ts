/** Red, green and blue, each from 0 to 1. */
export type Rgb = readonly [number, number, number]

const white: Rgb = [1, 1, 1]
const black: Rgb = [0, 0, 0]

/** Reads `#1a2b3c`. */
export function parseHex(colour: string): Rgb {
  const channel = (start: number) => Number.parseInt(colour.slice(start, start + 2), 16) / 255
  return [channel(1), channel(3), channel(5)]
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** White or black, whichever is easier to read. One of them always reaches 4.5:1. */
export function textOn(background: Rgb): 'white' | 'black' {
  return contrast(background, white) >= contrast(background, black) ? 'white' : 'black'
}

/** What `color-mix(in srgb, …)` computes for this share of the first colour, in percent. */
export function mix([red, green, blue]: Rgb, share: number, [r, g, b]: Rgb): Rgb {
  const part = (of: number, rest: number) => (of * share + rest * (100 - share)) / 100
  return [part(red, r), part(green, g), part(blue, b)]
}
