import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

/**
 * `npm run lockfile`, after any change of a dependency. If a registry carries binaries for some platforms only, npm omits
 * the others from the lockfile, and `npm ci` then rejects it everywhere. This adds the missing entries: version, operating
 * system and processor, which `npm ci` needs to skip packages for other platforms, and the registry's integrity hash, so
 * that those platforms install the same package.
 */
const lockfile = 'package-lock.json'
const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
]
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

type Entry = {
  version?: string
  integrity?: string
  link?: boolean
  name?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync(lockfile, 'utf8'))

let added = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue
    lock.packages[`node_modules/${name}`] = platformEntry(name, range, entry)
    added += 1
  }
}
const hashed = await addIntegrityHashes()
const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(lockfile, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
console.log(`added ${added} platform packages and ${hashed} hashes`)

/** Fetches the missing hashes from the registry, a few at a time. Packages that it does not carry remain without one. */
async function addIntegrityHashes(): Promise<number> {
  const waiting = Object.entries(lock.packages).filter(
    ([path, { integrity, link }]) =>
      path.includes('node_modules/') && integrity === undefined && link !== true,
  )
  let entered = 0
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [path, { version, ...rest }] = next
      const integrity = await fetchIntegrity(`${rest.name ?? path.split('node_modules/').at(-1)}@${version}`)
      if (integrity === undefined) continue
      lock.packages[path] = { ...(version !== undefined && { version }), integrity, ...rest }
      entered += 1
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return entered
}

async function fetchIntegrity(spec: string): Promise<string | undefined> {
  // Fails for a package that the registry does not carry.
  const { stdout } = await promisify(execFile)('npm', ['view', spec, 'dist.integrity']).catch(() => ({
    stdout: '',
  }))
  return /^sha512-[A-Za-z0-9+/]{86}==$/.exec(stdout.trim())?.[0]
}

/** Whether npm would resolve the package from there: in the same folder or in one above. */
function isLocked(path: string, name: string): boolean {
  const folders = path
    .split('/node_modules/')
    .map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'))
  return ['', ...folders].some(
    (folder) => `${folder === '' ? '' : `${folder}/`}node_modules/${name}` in lock.packages,
  )
}

function platformEntry(name: string, range: string, parent: Entry): Entry {
  const words = name === 'fsevents' ? ['darwin'] : (name.split('/').at(-1) ?? '').split('-')
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor))
  if (os.length + cpu.length === 0) throw new Error(`cannot derive a platform from the package name ${name}`)
  return {
    version: range.replace(/^[~^]/, ''),
    ...(cpu.length > 0 && { cpu }),
    ...(parent.dev === true && { dev: true }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
}
