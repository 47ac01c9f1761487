import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../basics/refusal.ts'
import { type Encoding, chooseEncoding, compress } from '../compress.ts'

type StaticFile = {
  type: string
  /** A function is called on the first request, so that what takes time to make does not delay the start. */
  content: string | Buffer | (() => string | Buffer)
  headers?: Record<string, string>
}
export type StaticHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** For what is compressed once and kept: 2 % smaller than usual, for 100 ms of all of the dashboard. The next 7 % would take a second. */
const quality = 9

const alreadyCompressed = new Set(['image/png', 'font/woff2'])

/**
 * Creates a handler that serves content from memory. It is compressed once per encoding, on the first request for it, and every
 * response sends the same buffer. A client that already has it gets 304.
 */
export function createStaticHandler({ type, content, headers = {} }: StaticFile): StaticHandler {
  let loaded: ReturnType<typeof load> | undefined
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = {}
  const compressible = !alreadyCompressed.has(type)

  return async (request, reply) => {
    loaded ??= load(content)
    const { plain, etag } = loaded
    reply.headers({ ...headers, etag, vary: 'accept-encoding' })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type)
    const encoding = compressible ? chooseEncoding(request) : undefined
    if (encoding === undefined) return reply.send(plain)
    const body = await (compressed[encoding] ??= compress[encoding](plain, quality))
    return reply.header('content-encoding', encoding).send(body)
  }
}

function load(content: StaticFile['content']) {
  const plain = Buffer.from(typeof content === 'function' ? content() : content)
  // Weak, because it is the same for every encoding.
  return { plain, etag: `W/"${hash('sha256', plain, 'base64url').slice(0, 22)}"` }
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && ifNoneMatch.split(',').some((each) => each.trim() === etag)
}

/** Media types of built files, by the end of their names. Other files are not served. */
export const mediaTypes: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
}

type BuiltFiles = {
  path: `/${string}`
  folder: string
  /** Which files of the folder are served. Each name contains a version or a hash of its content: they are cached for ever. */
  pattern: string
  /** Pages of any origin may load the files. */
  anyOrigin: boolean
}

/** Serves files that `npm run build` wrote. They are read on the first request and kept in memory. */
export function mountFiles(app: FastifyInstance, { path, folder, pattern, anyOrigin }: BuiltFiles): void {
  const headers = {
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': anyOrigin ? 'cross-origin' : 'same-origin',
    ...(anyOrigin && { 'access-control-allow-origin': '*' }),
  }
  let files: ReadonlyMap<string, StaticHandler> | undefined

  app.get<{ Params: { name: string } }>(`${path}/:name`, { config: { anyOrigin } }, (request, reply) => {
    files ??= readFiles({ folder, pattern }, headers)
    const file = files.get(request.params.name)
    if (file === undefined) throw new Refusal('not_found', 'There is no such file.')
    return file(request, reply)
  })
}

function readFiles(
  { folder, pattern }: Pick<BuiltFiles, 'folder' | 'pattern'>,
  headers: Record<string, string>,
): ReadonlyMap<string, StaticHandler> {
  if (!existsSync(folder)) return new Map()
  return new Map(
    globSync(pattern, { cwd: folder }).flatMap((name) => {
      const type = mediaTypes[name.split('.').at(-1) ?? '']
      if (type === undefined) return []
      return [[name, createStaticHandler({ type, content: readFileSync(join(folder, name)), headers })]]
    }),
  )
}
