import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The last commit before the migrations of this version: the newest preview 0.1.0. With each release, this becomes the tag of the one before. */
export const previousRelease = '296edad9bc4969db191ec215e02f5ea24b47519f'

export type CheckedOutRelease = {
  folder: string
  /** The file to run in place of the program. */
  program: string
} & Disposable

/** The source of an earlier release, from the history of this clone, with the dependencies that are installed here. */
export function checkOutRelease(commit: string): CheckedOutRelease {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-release-'))
  const archive = execFileSync(
    'git',
    ['archive', '--format=tar', commit, 'apps', 'packages', 'package.json', 'docs'],
    {
      maxBuffer: 512 * 1024 * 1024,
    },
  )
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive })
  linkDependencies(folder)
  return {
    folder,
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
