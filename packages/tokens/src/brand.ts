import { contrast, mix, parseHex, textOn, type Rgb } from './contrast.ts'

/** `--surface` of tokens.css in each theme. A test compares them. */
export const surfaces = { light: '#fffefc', dark: '#16191f' }

/** The custom properties that follow from a merchant's colour, beside `--brand` itself. */
export type BrandProperties = Record<
  '--on-brand' | '--brand-text' | '--brand-edge' | '--brand-wash' | '--brand-tint',
  string
>

/** What text needs against its background, and a control against its own (WCAG 2.2, 1.4.3 and 1.4.11). */
const textContrast = 4.5
const shapeContrast = 3

/** Against a dark surface, a colour lighter than this is mixed in more thinly: yellow would turn olive. */
const brightContrast = 7

/**
 * Uses a merchant's colour on one surface only where it can be seen: text in it falls back to ink, and a button in it gets an
 * edge.
 */
export function deriveBrand(colour: Rgb, surface: Rgb): BrandProperties {
  const found = contrast(colour, surface)
  const [wash, tint] = textOn(surface) === 'black' ? [8, 12] : found > brightContrast ? [6, 12] : [16, 26]
  const readable = contrast(colour, mix(colour, tint, surface)) >= textContrast
  return {
    '--on-brand': textOn(colour),
    '--brand-text': readable ? 'var(--brand)' : 'var(--ink)',
    '--brand-edge': found >= shapeContrast ? 'transparent' : 'var(--edge)',
    '--brand-wash': `color-mix(in srgb,var(--brand) ${wash}%,var(--surface))`,
    '--brand-tint': `color-mix(in srgb,var(--brand) ${tint}%,var(--surface))`,
  }
}

/** A style sheet for a merchant's colour such as `#1a2b3c`, which the caller has checked, in both themes. */
export function writeBrandStyle(colour: string): string {
  const light = deriveBrand(parseHex(colour), parseHex(surfaces.light))
  const dark = deriveBrand(parseHex(colour), parseHex(surfaces.dark))
  const names = Object.keys(light) as (keyof BrandProperties)[] // of the record above
  const differing = names.filter((name) => light[name] !== dark[name])
  const first = names.map((name) => `${name}:${light[name]};`).join('')
  const both = differing.map((name) => `${name}:light-dark(${light[name]},${dark[name]});`).join('')
  return `:root{--brand:${colour};${first}}@supports(color:light-dark(red,red)){:root{${both}}}`
}
