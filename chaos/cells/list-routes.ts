import type { App } from '../../apps/service/src/program/app.ts'

export type MountedRoute = { method: string; path: string }

/** Every route that the service serves, published or not, from Fastify's own listing: a tree with four columns for each level. */
export function listRoutes(app: App): MountedRoute[] {
  const parents: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+)(?: \((.*)\))?$/.exec(line) ?? []
      const level = indent.length / 4
      const path = level <= 1 ? part : `${parents[level - 1] ?? ''}${part}`
      parents[level] = path
      return methods
        .split(', ')
        .filter((method) => method !== '')
        .map((method) => ({ method, path }))
    })
}
