import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { guideStylePath } from '../../formats/html.ts'
import { createStaticHandler } from './static-file.ts'

/** Leads from the bare address to the dashboard, or to the guides if it is not built, and serves what every page needs. */
export function mountHome(app: FastifyInstance, { dashboard }: { dashboard: string }): void {
  app.get('/', async (_request, reply) =>
    reply.redirect(existsSync(join(dashboard, 'index.html')) ? '/dashboard' : '/docs/guides', 302),
  )
  mountPageFiles(app, guideStylePath)
}

/** Serves the icon of every page and the style of the plain ones. */
export function mountPageFiles(app: FastifyInstance, stylePath: string): void {
  const serveFile = (name: string, type: string, maxAge_seconds: number) =>
    createStaticHandler({
      type,
      content: readFileSync(new URL(name, import.meta.url)),
      headers: { 'cache-control': `public, max-age=${maxAge_seconds}` },
    })
  app.get(stylePath, serveFile('page.css', 'text/css; charset=utf-8', 300))
  const icon = serveFile('favicon.svg', 'image/svg+xml', 86_400)
  app.get('/favicon.svg', icon)
  // Browsers ask for this address by themselves, and go by the media type.
  app.get('/favicon.ico', icon)
}
