import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Entry = {
  integrity?: string
  resolved?: string
  link?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
}
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
)

test('every package in the lockfile has an integrity hash, except optional ones for platforms that the registry does not carry', () => {
  const without = packages.filter(([, { integrity }]) => integrity === undefined)
  const needed = without.filter(
    ([, { optional, os = [], cpu = [] }]) => optional !== true || os.length + cpu.length === 0,
  )
  expect(packages.length).toBeGreaterThan(100)
  expect(needed.map(([path]) => path)).toEqual([])
  // `npm run lockfile` with a registry that carries them adds their hashes. Their number must not grow.
  expect(without.length).toBeLessThanOrEqual(80)
  for (const [path, { integrity = 'sha512-' }] of packages)
    expect([path, integrity.startsWith('sha512-')]).toEqual([path, true])
})

test('the lockfile names no registry', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
})
