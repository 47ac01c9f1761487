import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { contents, framePage, llmsText } from './frame.ts'
import { readExamples, readPages, readPictures } from './read-pages.ts'
import { renderMarkdown } from './render.ts'

/** No script, no font: text, pictures and one style sheet, all of it from here. */
const guidesPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const cached = 'public, max-age=300'

/** The documents of the repository for people, their Markdown twins, and the list of them for programs that read. */
export function mountGuides(app: FastifyInstance): void {
  const pages = readPages()
  const examples = readExamples()
  const pictures = readPictures()
  const served = new Set([
    ...pages.map(({ path }) => path),
    ...[...examples.keys()].map((file) => `examples/${file}`),
    ...[...pictures.keys()].map((file) => `images/${file}`),
  ])
  const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')

  app.get('/docs/style.css', (_request, reply) => send(reply, 'text/css', style))
  app.get('/llms.txt', (_request, reply) => send(reply, 'text/plain', llmsText(pages)))
  const index = framePage({ path: '', title: 'Guides' }, contents(pages), pages)
  app.get('/docs/guides', (_request, reply) => send(reply, 'text/html', index))
  for (const page of pages) {
    const html = framePage(page, renderMarkdown(page, served), pages)
    app.get(`/docs/${page.path}`, (_request, reply) => send(reply, 'text/html', html))
    app.get(`/docs/${page.path}.md`, (_request, reply) => send(reply, 'text/markdown', page.markdown))
  }
  for (const [file, text] of examples)
    app.get(`/docs/examples/${file}`, (_request, reply) => send(reply, 'text/plain', text))
  for (const [file, bytes] of pictures)
    app.get(`/docs/images/${file}`, (_request, reply) => send(reply, 'image/png', bytes))
}

function send(reply: FastifyReply, media: string, content: string | Buffer): FastifyReply {
  return reply
    .type(typeof content === 'string' ? `${media}; charset=utf-8` : media)
    .headers({ 'cache-control': cached, 'content-security-policy': guidesPolicy })
    .send(content)
}
