import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { contentsMarkdown, llmsText } from './src/contents.ts'
import { fillInSections } from './src/generated/sections.ts'
import { docsFolder, listLinkedFiles, readPages } from './src/read-pages.ts'
import { resolveLinks } from './src/resolve-links.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const source = join(folder, '.pages')

/** Writes the documents of the repository as HTML and as Markdown, with what they load and link to, under the paths at which the service has them. */
async function buildGuides(): Promise<void> {
  const pages = readPages().map(fillInSections)
  const files = listLinkedFiles()
  const served = new Set([...pages.map(({ path }) => path), ...files])
  rmSync(source, { recursive: true, force: true })
  const contents = { path: 'guides', markdown: contentsMarkdown(pages) }
  for (const page of [contents, ...pages]) {
    write(`docs/${page.path}.md`, resolveLinks(page, served))
    write(`public/docs/${page.path}.md`, page.markdown)
  }
  write('public/llms.txt', llmsText(pages))
  for (const file of files) cpSync(join(docsFolder, file), join(source, 'public/docs', file))
  await build(folder)
  rmSync(source, { recursive: true })
  // The service has a page of its own for unknown addresses, and the guides have no icons of brands.
  for (const unused of ['404.html', 'vp-icons.css']) rmSync(join(folder, 'dist', unused))
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(source, file)), { recursive: true })
  writeFileSync(join(source, file), text)
}

await buildGuides()
