import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A migration and a definition, as a release brings them. */
export const migrationOfNextRelease = '0900_next_release.sql'
const changedFunction = 'apps/service/schema/functions/shown_status.sql'

export type NextRelease = {
  /** The file to run in place of the program. */
  program: string
} & Disposable

/**
 * This program as its next release: a later version with one more migration and a changed function. Until there are two
 * releases, upgrades are tested from this version to that one.
 */
export function makeNextRelease(migration: string): NextRelease {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-release-'))
  for (const part of ['apps', 'packages', 'docs'])
    cpSync(part, join(folder, part), {
      recursive: true,
      filter: (source) => !/\/(node_modules|test|dashboard\/src)(\/|$)/.test(source),
    })
  linkDependencies(folder)
  const manifest = join(folder, 'apps/service/package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version": "[^"]+"/, '"version": "99.0.0"'))
  writeFileSync(join(folder, 'apps/service/schema/migrations', migrationOfNextRelease), migration)
  writeFileSync(
    join(folder, changedFunction),
    `-- Changed in this release.\n${readFileSync(changedFunction, 'utf8')}`,
  )
  return {
    program: join(folder, 'apps/service/src/main.ts'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

/** Every installed package but our own, which are those of the release. */
function linkDependencies(folder: string): void {
  const installed = join(process.cwd(), 'node_modules')
  mkdirSync(join(folder, 'node_modules/@vidimus'), { recursive: true })
  for (const name of readdirSync(installed))
    if (name !== '@vidimus') symlinkSync(join(installed, name), join(folder, 'node_modules', name))
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@vidimus', name))
  symlinkSync(join(process.cwd(), 'apps/service/node_modules'), join(folder, 'apps/service/node_modules'))
}
