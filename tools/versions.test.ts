import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Manifest = {
  name: string
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
const manifests = globSync('**/package.json', { exclude: ['**/node_modules/**', '**/dist/**'] }).map(
  (file) => ({ file, manifest: readJson<Manifest>(file) }),
)
const { version } = readJson<Manifest>('package.json')

test('every package has the version of the repository and depends on the others in that version', () => {
  const others = manifests.flatMap(({ file, manifest: { version: own, dependencies, devDependencies } }) =>
    [['version', own] as const, ...Object.entries({ ...dependencies, ...devDependencies })]
      .filter(([name, wanted]) => (name === 'version' || name.startsWith('@vidimus/')) && wanted !== version)
      .map(([name, wanted]) => `${file}: ${name} ${wanted}`),
  )

  expect(manifests.length).toBeGreaterThan(12)
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(others).toEqual([])
})

test('the SDKs have the version of the repository; Packagist and Go take it from a tag', () => {
  const named = {
    'sdks/python/pyproject.toml': `\nversion = "${version}"\n`,
    'sdks/java/pom.xml': `\n  <version>${version}</version>\n`,
    'sdks/java/README.md': `\n  <version>${version}</version>\n`,
  }
  for (const [file, text] of Object.entries(named)) expect(readFileSync(file, 'utf8')).toContain(text)
})

test('the lockfiles have the versions of the manifests', () => {
  const lockfiles = globSync('**/package-lock.json', { exclude: ['**/node_modules/**', '**/dist/**'] })
  const own = lockfiles.flatMap((file) =>
    Object.entries(readJson<{ packages: Record<string, Manifest> }>(file).packages)
      .filter(([path, { version: locked }]) => !path.includes('node_modules') && locked !== undefined)
      .map(([path, entry]) => ({ file: `${file}: ${path}`, version: entry.version })),
  )

  expect(own).toHaveLength(manifests.length)
  expect(own.filter((entry) => entry.version !== version)).toEqual([])
})

test('the changelog has one section for the version, dated or not released yet', () => {
  const headings = readFileSync('CHANGELOG.md', 'utf8').match(/^## .*$/gm) ?? []
  const open = `## [Unreleased] ${version}`
  const dated = new RegExp(String.raw`^## \[${version.replaceAll('.', String.raw`\.`)}\] - \d{4}-\d\d-\d\d$`)

  expect(headings.filter((heading) => heading === open || dated.test(heading))).toHaveLength(1)
})

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8'))
}
