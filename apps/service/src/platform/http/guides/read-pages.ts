import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A document of the repository as it is served: `guides/webhooks` for docs/guides/webhooks.md. */
export type Page = { path: string; title: string; summary: string; markdown: string }

const folder = fileURLToPath(new URL('../../../../../../docs/', import.meta.url))

/** `docs/internals` is for contributors and is not served. */
const servedFolders = ['guides', 'reference', 'operate']

/** Reads every page at start. An installation without the documents has none. */
export function readPages(): Page[] {
  return globSync(`{${servedFolders.join(',')}}/**/*.md`, { cwd: folder })
    .map((file) => file.replaceAll('\\', '/').replace(/\.md$/, ''))
    .toSorted()
    .map((path) => toPage(path, readFileSync(`${folder}${path}.md`, 'utf8')))
}

/** The example programs that pages link to, by file name. */
export function readExamples(): Map<string, string> {
  const files = globSync('*.mjs', { cwd: `${folder}examples` })
  return new Map(files.map((file) => [file, readFileSync(`${folder}examples/${file}`, 'utf8')]))
}

/** The images of the pages, by file name. */
export function readPictures(): Map<string, Buffer> {
  const files = globSync('*.{png,svg}', { cwd: `${folder}images` })
  return new Map(files.map((file) => [file, readFileSync(`${folder}images/${file}`)]))
}

function toPage(path: string, markdown: string): Page {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? path
  const first = markdown.split(/\n\n/).find((part) => /^[A-Z]/.test(part)) ?? ''
  const summary = first.replaceAll('\n', ' ').split(/(?<=[.:]) /)[0] ?? ''
  return { path, title, summary, markdown }
}
