import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createStaticHandler, mediaTypes } from './static-file.ts'

/** Files of the same origin, nothing inline, no fonts. Icons are data URLs of the style sheet. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

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
  for (const name of globSync('**/*.*', { cwd: folder }).map((each) => each.replaceAll('\\', '/'))) {
    const type = guideTypes[name.split('.').at(-1) ?? '']
    if (type === undefined) continue
    const headers = {
      // The names of assets contain a hash of their content.
      'cache-control': name.startsWith('docs/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=300',
      'content-security-policy': contentSecurityPolicy,
    }
    const content = () => readFileSync(join(folder, name))
    app.get(`/${name.replace(/\.html$/, '')}`, createStaticHandler({ type, content, headers }))
  }
  // `/docs/errors#code` is in every `Link` header.
  app.get('/docs/errors', async (_request, reply) => reply.redirect('/docs/reference/errors', 308))
}
