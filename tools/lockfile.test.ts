import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Entry = {
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
}
const packages = readPackages('package-lock.json')
const peers = readPackages('bench/peers/programs/package-lock.json')

test('every package in the lockfile has an integrity hash, except optional tools of development for platforms that the registry does not carry', () => {
  const without = packages.filter(([, { integrity }]) => integrity === undefined)
  const needed = without.filter(
    ([, { dev, optional, os = [], cpu = [] }]) =>
      dev !== true || optional !== true || os.length + cpu.length === 0,
  )
  expect(packages.length).toBeGreaterThan(100)
  expect(needed.map(([path]) => path)).toEqual([])
  // `npm run lockfile` with a registry that carries them adds their hashes. Their number must not grow.
  expect(without.length).toBeLessThanOrEqual(60)
  for (const [path, { integrity = 'sha512-' }] of packages)
    expect([path, integrity.startsWith('sha512-')]).toEqual([path, true])
})

test('every package that the bench compares the service with has an integrity hash', () => {
  expect(peers.length).toBeGreaterThan(100)
  expect(peers.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)).toEqual([])
})

test('the lockfiles name no registry', () => {
  expect(
    [...packages, ...peers].filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
  ).toEqual([])
})

function readPackages(lockfile: string): [path: string, entry: Entry][] {
  const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync(lockfile, 'utf8'))
  return Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  )
}
