import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createStaticHandler, mediaTypes } from './static-file.ts'

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

const headers = { 'cache-control': 'public, max-age=300', 'content-security-policy': contentSecurityPolicy }

const guideTypes: typeof mediaTypes = {
  ...mediaTypes,
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  // An example, to be read.
  mjs: 'text/plain; charset=utf-8',
}

/** Serves the guides that `npm run build` wrote, as HTML and as Markdown, and their list at /llms.txt. */
export function mountGuides(app: FastifyInstance, folder: string): void {
  for (const name of globSync('**/*.*', { cwd: folder })) {
    const type = guideTypes[name.split('.').at(-1) ?? '']
    if (type === undefined) continue
    const path =
      name === 'llms.txt' ? '/llms.txt' : `/docs/${name.replaceAll('\\', '/').replace(/\.html$/, '')}`
    app.get(path, createStaticHandler({ type, content: () => readFileSync(join(folder, name)), headers }))
  }
  // `/docs/errors#code` is in every `Link` header.
  app.get('/docs/errors', async (_request, reply) => reply.redirect('/docs/reference/errors', 308))
}
