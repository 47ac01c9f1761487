import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../basics/refusal.ts'
import { mediaTypes } from './media-types.ts'
import { createStaticHandler, type StaticHandler } from './static-file.ts'

export type BuiltFiles = {
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
