import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { llmsText, renderContents, renderPage } from './src/page-layout.ts'
import { docsFolder, listLinkedFiles, readPages } from './src/read-pages.ts'
import { renderMarkdown } from './src/render-markdown.ts'
import { buildSearchIndex } from './src/search-index.ts'

const out = fileURLToPath(new URL('dist/', import.meta.url))

/** Writes the documents of the repository as HTML and as Markdown, with what they load and link to, under the paths at which the service has them. */
function buildGuides(): void {
  rmSync(out, { recursive: true, force: true })
  const pages = readPages()
  const files = listLinkedFiles()
  const served = new Set([...pages.map(({ path }) => path), ...files])
  for (const page of pages) {
    write(`${page.path}.html`, renderPage(page, renderMarkdown(page, served), pages))
    write(`${page.path}.md`, page.markdown)
  }
  write('guides.html', renderPage({ path: '', title: 'Guides' }, renderContents(pages), pages))
  write('llms.txt', llmsText(pages))
  write('search.json', JSON.stringify(buildSearchIndex(pages)))
  for (const file of files) cpSync(join(docsFolder, file), join(out, file))
  copyFileSync(new URL('src/style.css', import.meta.url), join(out, 'style.css'))
  copyFileSync(new URL('src/script.js', import.meta.url), join(out, 'guides.js'))
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(out, file)), { recursive: true })
  writeFileSync(join(out, file), text)
}

buildGuides()
