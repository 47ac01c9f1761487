import { routes } from '@vidimus/contract'
import type { Page } from './read-pages.ts'
import { toSlug } from './render-markdown.ts'

/** What the search finds: a section of a page, or an operation of the API. */
export type SearchEntry = { title: string; section: string; url: string; text: string }

/** Enough for the words that a section is about, and small enough to send whole. */
const maxText_characters = 500

/** Every section of every page, and every operation of the reference, in the order of the pages. */
export function buildSearchIndex(pages: readonly Page[]): SearchEntry[] {
  return [...pages.flatMap(listSections), ...listOperations()]
}

function listSections({ path, title, markdown }: Page): SearchEntry[] {
  return markdown
    .split(/^(?=#{1,3} )/m)
    .filter((part) => part.startsWith('#'))
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const name = heading.replace(/^#+ /, '')
      const isWhole = heading.startsWith('# ')
      return {
        title,
        section: isWhole ? '' : toPlainText(name),
        url: `/docs/${path}${isWhole ? '' : `#${toSlug(name)}`}`,
        text: toPlainText(lines.join(' ')).slice(0, maxText_characters),
      }
    })
}

function listOperations(): SearchEntry[] {
  return Object.values(routes)
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ method, path, summary }) => ({
      title: 'API reference',
      section: `${method} ${path}`,
      url: '/docs',
      text: summary,
    }))
}

function toPlainText(markdown: string): string {
  return markdown
    .replaceAll(/```\S*[^\n]*|<!--.*?-->|!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|(?:^|\s)-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
