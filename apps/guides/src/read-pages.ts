import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A document of the repository as it is served: `guides/webhooks` for docs/guides/webhooks.md. */
export type Page = { path: string; title: string; summary: string; markdown: string }

export const docsFolder = fileURLToPath(new URL('../../../docs/', import.meta.url))

/** `docs/internals` is for contributors and is not served. */
const servedFolders = ['guides', 'reference', 'operate']

export function readPages(): Page[] {
  return globSync(`{${servedFolders.join(',')}}/**/*.md`, { cwd: docsFolder })
    .map((file) => file.replaceAll('\\', '/').replace(/\.md$/, ''))
    .toSorted()
    .map((path) => toPage(path, readFileSync(`${docsFolder}${path}.md`, 'utf8')))
}

/** The example programs and images that pages link to. */
export function listLinkedFiles(): string[] {
  return globSync(['examples/*.mjs', 'images/*.{png,svg}'], { cwd: docsFolder }).map((file) =>
    file.replaceAll('\\', '/'),
  )
}

function toPage(path: string, markdown: string): Page {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? path
  const first = markdown.split(/\n\n/).find((part) => /^[A-Z]/.test(part)) ?? ''
  const summary = first.replaceAll('\n', ' ').split(/(?<=\.) /)[0] ?? ''
  return { path, title, summary, markdown }
}
