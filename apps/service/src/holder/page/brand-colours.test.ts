import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { backgrounds, contrast, deriveColours, writeColourStyle } from './layout.ts'

const sixteen = Array.from({ length: 16 }, (_, index) => (index * 17).toString(16).padStart(2, '0'))
const everyColour = sixteen.flatMap((red) =>
  sixteen.flatMap((green) => sixteen.map((blue) => `#${red}${green}${blue}`)),
)

test('contrast is computed as WCAG 2.2 defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('text on every colour of a merchant has a contrast of 4.5:1', () => {
  const unreadable = everyColour.filter((colour) => contrast(colour, deriveColours(colour).on_accent) < 4.5)
  expect(unreadable).toEqual([])
})

test("text in the merchant's colour falls back below a contrast of 4.5:1, in each colour scheme", () => {
  for (const colour of everyColour) {
    const { text } = deriveColours(colour)
    expect(text.light !== undefined).toBe(contrast(colour, backgrounds.light) >= 4.5)
    expect(text.dark !== undefined).toBe(contrast(colour, backgrounds.dark) >= 4.5)
  }
  expect(writeColourStyle('#7a1f3d')).toBe(
    ':root{--accent:#7a1f3d;--on-accent:#ffffff;--accent-text:#7a1f3d;}@media(prefers-color-scheme:dark){:root{--accent-text:var(--ink);}}',
  )
  expect(writeColourStyle('#ffe066')).toBe(
    ':root{--accent:#ffe066;--on-accent:#000000;--accent-text:var(--ink);}@media(prefers-color-scheme:dark){:root{--accent-text:#ffe066;}}',
  )
})

test("the backgrounds are those of the page's style sheet", () => {
  const style = readFileSync(new URL('../../../../verify/src/style.css', import.meta.url), 'utf8')
  const papers = [...style.matchAll(/--paper: (#\w{6});/g)].map(([, colour]) => colour)
  expect(papers).toEqual([backgrounds.light, backgrounds.dark])
})
