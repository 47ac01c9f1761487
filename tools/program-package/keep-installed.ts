import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Dependencies that are beside the program and not in its files, because they read files of their own or are required by name. */
export const installed = ['@xmldom/xmldom', 'xml-crypto']

/** Removes from what the lockfile installs everything that the program's files have in them. */
export function keepInstalled(folder: string): void {
  const trees = ['node_modules', 'apps/service/node_modules']
    .map((path) => join(folder, path))
    .filter(existsSync)
  const kept = new Set(installed)
  // What is added meanwhile has its turn too.
  for (const name of kept)
    for (const manifest of trees.map((tree) => join(tree, name, 'package.json')).filter(existsSync))
      for (const dependency of Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies ?? {}))
        kept.add(dependency)
  for (const tree of trees) {
    for (const name of globSync('{.*,[!@]*,@*/*}', { cwd: tree }))
      if (!kept.has(name)) rmSync(join(tree, name), { recursive: true })
    for (const scope of globSync('@*', { cwd: tree }))
      if (readdirSync(join(tree, scope)).length === 0) rmSync(join(tree, scope), { recursive: true })
  }
}

if (import.meta.main) keepInstalled('.')
