import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { createStaticHandler, type StaticFile, type StaticHandler } from '../static/static-file.ts'
import { renderContents, renderPage, llmsText } from './page-layout.ts'
import { readExamples, readPages, readPictures } from './read-pages.ts'
import { renderMarkdown } from './render-markdown.ts'
import { buildSearchIndex } from './search-index.ts'

/** Text, images, one style sheet and one script of the same origin. Nothing inline, no fonts. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const cacheControl = 'public, max-age=300'

/** Addresses that were published before the documents had folders. `/docs/errors#code` is in every `Link` header. */
const movedPages = {
  quickstart: 'guides/quickstart',
  concepts: 'guides/concepts',
  errors: 'reference/errors',
  faults: 'reference/faults',
  openid4vp: 'reference/openid4vp',
  audit: 'reference/audit',
  operations: 'operate/operations',
  scale: 'operate/scale',
  'threat-model': 'operate/threat-model',
}

/** Serves the documents of the repository as HTML and as Markdown, and their list at /llms.txt. */
export function mountGuides(app: FastifyInstance): void {
  const pages = readPages()
  const examples = readExamples()
  const pictures = readPictures()
  const servedPaths = new Set([
    ...pages.map(({ path }) => path),
    ...[...examples.keys()].map((file) => `examples/${file}`),
    ...[...pictures.keys()].map((file) => `images/${file}`),
  ])
  const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')
  const script = readFileSync(new URL('script.js', import.meta.url), 'utf8')

  app.get('/docs/style.css', serve('text/css', style))
  app.get('/docs/guides.js', serve('text/javascript', script))
  app.get(
    '/docs/search.json',
    serve('application/json', () => JSON.stringify(buildSearchIndex(pages))),
  )
  app.get('/llms.txt', serve('text/plain', llmsText(pages)))
  const index = () => renderPage({ path: '', title: 'Guides' }, renderContents(pages), pages)
  app.get('/docs/guides', serve('text/html', index))
  for (const page of pages) {
    const html = () => renderPage(page, renderMarkdown(page, servedPaths), pages)
    app.get(`/docs/${page.path}`, serve('text/html', html))
    app.get(`/docs/${page.path}.md`, serve('text/markdown', page.markdown))
  }
  for (const [from, to] of Object.entries(movedPages))
    for (const suffix of ['', '.md'])
      app.get(`/docs/${from}${suffix}`, async (_request, reply) =>
        reply.redirect(`/docs/${to}${suffix}`, 308),
      )
  for (const [file, text] of examples) app.get(`/docs/examples/${file}`, serve('text/plain', text))
  for (const [file, bytes] of pictures)
    app.get(`/docs/images/${file}`, serve(file.endsWith('.svg') ? 'image/svg+xml' : 'image/png', bytes))
}

function serve(media: string, content: StaticFile['content']): StaticHandler {
  return createStaticHandler({
    type: Buffer.isBuffer(content) ? media : `${media}; charset=utf-8`,
    content,
    headers: { 'cache-control': cacheControl, 'content-security-policy': contentSecurityPolicy },
  })
}
