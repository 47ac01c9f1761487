import type { LockedPackages } from './find-licence-problems.ts'

/** The packages that the program runs with, as package URLs: what the lockfile says that the service's dependencies, and theirs, resolve to. */
export function listProgramPackages(packages: LockedPackages): Set<string> {
  const reached = new Set<string>()
  const waiting = ['apps/service']
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (reached.has(path)) continue
    reached.add(path)
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = resolveFrom(packages, path, name)
      if (found !== undefined) waiting.push(found)
      else if (name in dependencies)
        throw new Error(`${path} needs ${name}, which the lockfile does not have`)
    }
  }
  return new Set([...reached].map((path) => toPurl(path, packages[path])))
}

/** As Node does: in the `node_modules` of the folder, or of one above. A workspace's entry there is a link to its folder. */
function resolveFrom(packages: LockedPackages, path: string, name: string): string | undefined {
  const folders = path.split('/').map((_, index, parts) => parts.slice(0, parts.length - index).join('/'))
  for (const folder of [...folders, '']) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const entry = packages[candidate]
    if (entry !== undefined) return entry.link === true ? entry.resolved : candidate
  }
  return undefined
}

function toPurl(path: string, entry: LockedPackages[string] | undefined): string {
  const name = entry?.name ?? path.split('node_modules/').at(-1) ?? ''
  return `pkg:npm/${name.replace('@', '%40')}@${entry?.version}`
}
