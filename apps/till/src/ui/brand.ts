import { parseHex, writeBrandStyle } from '@vidimus/tokens'
import { useEffect } from 'react'

export const answerColours = { yes: '#00534f', no: '#ff6a3d' }
/** Distances in Oklab. About these, colours are hard to tell apart from afar (a ΔE2000 of 20). */
const minDistances = { yes: 0.092, no: 0.145 }

/** Uses the merchant's colour on every screen. Constructed, because the page's policy allows no style of its own. */
export function useBrand(colour: string | undefined): void {
  useEffect(() => {
    if (colour === undefined || !isColour(colour)) return undefined
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(writeBrandStyle(colour))
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    }
  }, [colour])
}

/** Whether a button that is filled with this colour could be taken for an answer from afar. */
export function looksLikeAnswer(colour: string | undefined): boolean {
  if (colour === undefined || !isColour(colour)) return false
  return (['yes', 'no'] as const).some(
    (word) => distance(toOklab(colour), toOklab(answerColours[word])) < minDistances[word],
  )
}

function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

type Oklab = readonly [number, number, number]

function distance(one: Oklab, other: Oklab): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
}

/** https://www.w3.org/TR/css-color-4/#color-conversion-code */
function toOklab(colour: string): Oklab {
  const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  const [red, green, blue] = parseHex(colour)
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}
