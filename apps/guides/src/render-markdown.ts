import { Marked, type Tokens } from 'marked'
import { escapeHtml } from './escape-html.ts'
import { highlight } from './highlight.ts'
import type { Page } from './read-pages.ts'

/** Renders a page as HTML. Links to pages that are not served become plain text. */
export function renderMarkdown(page: Page, served: ReadonlySet<string>): string {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const id = toSlug(text)
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)} ${anchor}</h${depth}>\n`
      },
      code: ({ text, lang = '' }) => codeBlock(text, lang),
      link({ href, tokens }: Tokens.Link) {
        const target = resolveLink(page.path, href, served)
        const text = this.parser.parseInline(tokens)
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`
      },
      image({ href, text }) {
        const target = resolveLink(page.path, href, served)
        const alt = escapeHtml(text)
        return target === undefined ? alt : `<img src="${escapeHtml(target)}" alt="${alt}" loading="lazy">`
      },
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`
      },
      // Our documents contain no HTML but comments, which mark generated tables. Anything else that looks like it is shown as text.
      html: ({ text }) => (/^<!--[^>]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
    },
  })
  return marked.parse(page.markdown, { async: false })
}

/** A block `sh terminal=receiver` is captioned with its terminal. */
function codeBlock(text: string, info: string): string {
  const [language = ''] = info.split(' ')
  const terminal = /terminal=(\w+)/.exec(info)?.[1]
  const caption = terminal === undefined ? '' : `<figcaption>in a separate terminal: ${terminal}</figcaption>`
  const label =
    language === 'mermaid' ? 'Diagram, as Mermaid text' : `Code${language === '' ? '' : `, ${language}`}`
  return `<figure>${caption}<pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(text, language)}</code></pre></figure>\n`
}

/** GitHub's anchors for headings, so that links work in both places. */
export function toSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

function resolveLink(from: string, href: string, served: ReadonlySet<string>): string | undefined {
  if (href.startsWith('#') || href.startsWith('https:')) return href
  const { pathname, hash } = new URL(href, `http://docs/${from}`)
  const path = decodeURI(pathname.slice(1)).replace(/\.md$/, '')
  return served.has(path) ? `/docs/${path}${hash}` : undefined
}
