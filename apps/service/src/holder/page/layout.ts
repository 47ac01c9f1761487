import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type HolderTexts,
  type Language,
  fillIn,
  languages,
  listLanguages,
  texts,
} from '@vidimus/holder-texts'
import { z } from 'zod'
import { escapeHtml, inlineIcon } from '../../engine/formats/index.ts'

type PageContent = {
  language: Language
  /** Those to choose from. By default all, where no tenant is known. */
  offered?: readonly Language[] | undefined
  title: string
  /** HTML of the head, besides what every page has. */
  head?: string
  /** HTML above everything, and at the start of the bar. */
  strip?: string
  back?: string
  /** HTML of the body, after the bar and before the footer. */
  body: string
  /** HTML of the footer: who checks this for whom. */
  foot?: string
  /** Whether the page shows one message, and not a request. */
  single?: boolean
  assets: PageAssets | undefined
  /** What the address of the page needs in its query beside the language. */
  query?: URLSearchParams | undefined
}

/** Every page: the head, the bar with the choice of the language, the body and the footer. Its links are relative, so they hold no id. */
export function renderLayout(content: PageContent): string {
  const {
    language,
    offered,
    title,
    head = '',
    strip = '',
    back = '',
    body,
    foot,
    single,
    assets,
    query,
  } = content
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
<body${single === true ? ' class="one"' : ''}>
<header>${strip}<div class="bar">${back}${renderLanguages(language, offered, page, query)}</div></header>
${body}
<footer class="foot">${foot ?? `${vidimus} ·`} ${escapeHtml(page.never_shows)}</footer>
</body>
</html>
`
}

export const vidimus = '<b translate="no">Vidimus</b>'

const icons = {
  back: 'M15 5l-7 7 7 7',
  down: 'M6 9l6 6 6-6',
  check: 'M6 12.5l4 4 8-9',
  cross: 'M7 7l10 10M17 7L7 17',
  minus: 'M6 12h12',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.3l2.8 1.7',
  phone:
    'M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3zM11 18h2',
}

export type IconName = keyof typeof icons

/** A line drawing, as in the component. */
export function renderIcon(name: IconName): string {
  return `<svg class="i${name === 'back' ? ' flip' : ''}" viewBox="0 0 24 24" aria-hidden="true"><path d="${icons[name]}"/></svg>`
}

/** Each of the links repeats the query. A longer one is left out. */
export const maxRepeatedQuery_characters = 4096

/** A list of links, so that it works without script. */
function renderLanguages(
  current: Language,
  offered: readonly Language[] = listLanguages(),
  page: HolderTexts['page'],
  query: URLSearchParams | undefined,
): string {
  const given = query?.toString() ?? ''
  const kept = given === '' || given.length > maxRepeatedQuery_characters ? '' : `${given}&`
  const links = offered.map(
    (code) =>
      `<li><a href="?${escapeHtml(kept)}lang=${code}" hreflang="${code}" lang="${code}"${code === current ? ' aria-current="true"' : ''}>${languages[code]}</a></li>`,
  )
  return `<details class="languages">
<summary><span class="hidden">${escapeHtml(page.change_language)}: </span>${languages[current]}${renderIcon('down')}</summary>
<ul>
${links.join('\n')}
</ul>
</details>`
}

/** A text of the catalogue with its values, as HTML. */
export function toHtml(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return escapeHtml(fillIn(text, values))
}

export function renderList(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
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
