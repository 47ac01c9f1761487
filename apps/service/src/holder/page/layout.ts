import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HolderTexts, type Language, fillIn, languages, texts } from '@vidimus/holder-texts'
import { z } from 'zod'
import { escapeHtml, inlineIcon } from '../../engine/formats/index.ts'

type PageContent = {
  language: Language
  title: string
  /** HTML of the head, besides what every page has. */
  head?: string
  /** HTML of the body, before its footer. */
  body: string
  assets: PageAssets | undefined
  /** What the address of the page needs in its query beside the language. */
  query?: URLSearchParams | undefined
}

/** Every page: the head, the body, and the footer with the choice of the language. Its links are relative, so they hold no id. */
export function renderLayout({ language, title, head = '', body, assets, query }: PageContent): string {
  const { page } = texts(language)
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${inlineIcon}
${assets === undefined ? '' : `<link rel="stylesheet" href="/verify/assets/${assets.style}">\n`}${head}</head>
<body>
${body}
<footer>
${renderLanguages(language, page, query)}
<p class="about">${escapeHtml(page.footer)} <span class="vidimus" translate="no">Vidimus</span></p>
</footer>
</body>
</html>
`
}

/** Each of the links repeats the query. A longer one is left out. */
export const maxRepeatedQuery_characters = 4096

/** A list of links, so that it works without script. */
function renderLanguages(
  current: Language,
  page: HolderTexts['page'],
  query: URLSearchParams | undefined,
): string {
  const given = query?.toString() ?? ''
  const kept = given === '' || given.length > maxRepeatedQuery_characters ? '' : `${given}&`
  const links = Object.entries(languages).map(
    ([code, name]) =>
      `<li><a href="?${escapeHtml(kept)}lang=${code}" hreflang="${code}" lang="${code}"${code === current ? ' aria-current="true"' : ''}>${name}</a></li>`,
  )
  return `<details class="languages">
<summary><span class="hidden">${escapeHtml(page.change_language)}: </span>${languages[current]}</summary>
<ul>
${links.join('\n')}
</ul>
</details>`
}

/** A text of the catalogue with its values, as HTML. */
export function toHtml(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return escapeHtml(fillIn(text, values))
}

type BrandColours = {
  /** The background of buttons. */
  accent: string
  /** Text on that background: black or white, of which one always has a contrast of 4.5:1. */
  on_accent: string
  /** The merchant's colour for text, per scheme; undefined if its contrast with the page is too low to read. */
  text: { light: string | undefined; dark: string | undefined }
}

/** The backgrounds of the page in `apps/verify/src/style.css`, light and dark. A test compares them. */
export const backgrounds = { light: '#fffefc', dark: '#15181e' }

const minContrast = 4.5
const black = '#000000'
const white = '#ffffff'

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

/** The names of the page's built files. Both contain a hash of their content. */
export type PageAssets = { script: string; style: string }

const Manifest = z.strictObject({ script: z.string(), style: z.string() })

/**
 * Reads the names once they are first needed. Undefined if the page is not built: it then works without script and style, as
 * it must without JavaScript anyway.
 */
export function pageAssets(folder: string): () => PageAssets | undefined {
  const file = join(folder, 'manifest.json')
  let assets: PageAssets | undefined
  return () => {
    if (assets === undefined && existsSync(file))
      assets = Manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
    return assets
  }
}
