import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('./programs/', import.meta.url))
const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--omit-lockfile-registry-resolved']

/** Installs the peers unless what is installed is what the lockfile names. They are never part of the root's installation. */
export function installPeers(): void {
  if (isInstalled(folder)) return
  process.stderr.write('Installing the peers with npm ci in bench/peers/programs.\n')
  const { status } = spawnSync('npm', ['ci', ...npmOptions], { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`npm ci in ${folder} failed.`)
}

type Lockfile = { packages: Record<string, { version?: string; optional?: boolean }> }

/** npm writes a copy of the lockfile when an installation is complete. It lacks packages for other platforms. */
export function isInstalled(packageFolder: string): boolean {
  const installedLockfile = `${packageFolder}node_modules/.package-lock.json`
  if (!existsSync(installedLockfile)) return false
  const { packages: installed } = readLockfile(installedLockfile)
  return Object.entries(readLockfile(`${packageFolder}package-lock.json`).packages).every(
    ([path, { version, optional }]) =>
      path === '' ||
      installed[path]?.version === version ||
      (optional === true && installed[path] === undefined),
  )
}

function readLockfile(file: string): Lockfile {
  return JSON.parse(readFileSync(file, 'utf8'))
}
