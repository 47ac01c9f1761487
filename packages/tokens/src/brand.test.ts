import { expect, test } from 'vitest'
import { deriveBrand, surfaces, writeBrandStyle } from './brand.ts'
import { contrast, mix, parseHex, textOn, type Rgb } from './contrast.ts'

const steps = Array.from({ length: 18 }, (_, step) => step / 17)
const everyColour = steps.flatMap((red) =>
  steps.flatMap((green) => steps.map((blue): Rgb => [red, green, blue])),
)

test('contrast is computed as WCAG 2.2 defines it', () => {
  expect(contrast([0, 0, 0], [1, 1, 1])).toBeCloseTo(21, 5)
  // #767676 on white is the usual example of just enough.
  expect(contrast(parseHex('#767676'), [1, 1, 1])).toBeCloseTo(4.54, 2)
  expect(contrast(parseHex('#777777'), [1, 1, 1])).toBeCloseTo(4.48, 2)
})

test('text on every colour of a merchant has a contrast of 4.5:1', () => {
  const unreadable = everyColour.filter(
    (colour) => contrast(colour, textOn(colour) === 'white' ? [1, 1, 1] : [0, 0, 0]) < 4.5,
  )
  expect(unreadable).toEqual([])
})

test.each(Object.entries(surfaces))(
  "in the %s theme, a merchant's colour is used for text only where it can be read, and a button in it can be seen",
  (theme, surface) => {
    const ink = parseHex(theme === 'light' ? '#1d2029' : '#eeece6')
    for (const colour of everyColour) {
      const brand = deriveBrand(colour, parseHex(surface))
      const tint = mix(colour, Number(/ (\d+)%/.exec(brand['--brand-tint'])?.[1]), parseHex(surface))
      expect(brand['--brand-text'] === 'var(--brand)').toBe(contrast(colour, tint) >= 4.5)
      expect(contrast(ink, tint)).toBeGreaterThan(4.5)
      expect(brand['--brand-edge'] === 'transparent').toBe(contrast(colour, parseHex(surface)) >= 3)
    }
  },
)

test('burgundy is text in the light theme only, and yellow in the dark theme only', () => {
  expect(writeBrandStyle('#7a1f3d')).toBe(
    ':root{--brand:#7a1f3d;--on-brand:white;--brand-text:var(--brand);--brand-edge:transparent;--brand-wash:color-mix(in srgb,var(--brand) 8%,var(--surface));--brand-tint:color-mix(in srgb,var(--brand) 12%,var(--surface));}' +
      '@supports(color:light-dark(red,red)){:root{--brand-text:light-dark(var(--brand),var(--ink));--brand-edge:light-dark(transparent,var(--edge));--brand-wash:light-dark(color-mix(in srgb,var(--brand) 8%,var(--surface)),color-mix(in srgb,var(--brand) 16%,var(--surface)));--brand-tint:light-dark(color-mix(in srgb,var(--brand) 12%,var(--surface)),color-mix(in srgb,var(--brand) 26%,var(--surface)));}}',
  )
  expect(writeBrandStyle('#ffe066')).toContain('--brand-text:light-dark(var(--ink),var(--brand))')
  expect(writeBrandStyle('#ffe066')).toContain('--brand-edge:light-dark(var(--edge),transparent)')
})
