/** The backgrounds of the page in `apps/verify/src/style.css`, light and dark. A test compares them. */
export const backgrounds = { light: '#fffefc', dark: '#15181e' }

const minContrast = 4.5
const black = '#000000'
const white = '#ffffff'

type BrandColours = {
  /** The background of buttons. */
  accent: string
  /** Text on that background: black or white, of which one always has a contrast of 4.5:1. */
  on_accent: string
  /** The merchant's colour for text, per scheme; undefined if its contrast with the page is too low to read. */
  text: { light: string | undefined; dark: string | undefined }
}

/** The colours of the page for a merchant's colour such as `#1a2b3c`. */
export function deriveColours(colour: string): BrandColours {
  const readable = (background: string) => (contrast(colour, background) >= minContrast ? colour : undefined)
  return {
    accent: colour,
    on_accent: contrast(colour, white) >= contrast(colour, black) ? white : black,
    text: { light: readable(backgrounds.light), dark: readable(backgrounds.dark) },
  }
}

/** Custom properties for the page's style sheet. The colour was checked against its pattern when it was stored. */
export function writeColourStyle(colour: string): string {
  const { accent, on_accent, text } = deriveColours(colour)
  const forText = (value: string | undefined) => `--accent-text:${value ?? 'var(--ink)'};`
  return [
    `:root{--accent:${accent};--on-accent:${on_accent};${forText(text.light)}}`,
    text.dark === text.light ? '' : `@media(prefers-color-scheme:dark){:root{${forText(text.dark)}}}`,
  ].join('')
}

/** The contrast ratio of two colours (WCAG 2.2). */
export function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
