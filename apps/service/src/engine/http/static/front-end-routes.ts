import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../basics/refusal.ts'
import { type StaticHandler, createStaticHandler, mediaTypes } from './static-file.ts'

/** Same origin only, nothing inline. A tenant's logo is a data URL. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
}

export type FrontEnd = {
  path: `/${string}`
  folder: string
  /** The bare address of the server leads to it. */
  home?: true
}

/**
 * Serves a front end built by `npm run build`. All of its paths are one page, except an unmatched path under `api`. The files are
 * read on the first request and kept in memory.
 */
export function mountFrontEnd(app: FastifyInstance, { path, folder, home }: FrontEnd): void {
  let assets: ReadonlyMap<string, StaticHandler> | undefined

  const serve = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const requestedPath = decodeURIComponent((request.url.split('?')[0] ?? '').slice(path.length + 1))
    if (requestedPath === 'api' || requestedPath.startsWith('api/'))
      throw new Refusal('not_found', 'There is no such route.')
    assets ??= readAssets(folder, path)
    const found = assets.get(requestedPath)
    // A missing file is an error, and the page in its place would hide that.
    if (found === undefined && requestedPath.startsWith('assets/'))
      throw new Refusal('not_found', 'There is no such file.')
    const asset = found ?? assets.get('index.html')
    if (asset === undefined) {
      throw new Refusal('not_found', 'This front end is not built. Run `npm run build`.')
    }
    return asset(request, reply)
  }

  app.get(path, serve)
  app.get(`${path}/*`, serve)
  if (home) app.get('/', async (_request, reply) => reply.redirect(path, 302))
}

function readAssets(folder: string, path: string): ReadonlyMap<string, StaticHandler> {
  if (!existsSync(folder)) return new Map()
  const names = globSync('**/*.*', { cwd: folder })
  return new Map(
    names.flatMap((name) => {
      const type = mediaTypes[name.split('.').at(-1) ?? '']
      if (type === undefined) return []
      // The names of these files contain a hash of their content.
      const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      const headers = {
        ...pageHeaders,
        'cache-control': cache,
        // By default a service worker may control only the paths below its own, and the page itself is not one of them.
        ...(name === 'sw.js' && { 'service-worker-allowed': path }),
      }
      return [[name, createStaticHandler({ type, content: readFileSync(join(folder, name)), headers })]]
    }),
  )
}
