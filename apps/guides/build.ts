import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import scalar from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'
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
  writeFileSync(join(folder, 'dist/docs/scalar.js'), await extractReference())
}

/** The script of the API reference, of four megabytes, which Scalar ships in a plugin for Fastify. */
async function extractReference(): Promise<string> {
  await using app = fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, payload } = await app.inject('/docs/js/scalar.js')
  if (statusCode !== 200) throw new Error(`Scalar answered its own script with ${statusCode}`)
  const licence = new URL('../LICENSE', import.meta.resolve('@scalar/fastify-api-reference'))
  return `/*! Scalar API Reference\n${readFileSync(licence, 'utf8')}*/\n${payload}`
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(source, file)), { recursive: true })
  writeFileSync(join(source, file), text)
}

await buildGuides()
