import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findLicenceProblems, type LockedPackages } from './find-licence-problems.ts'

const lockfiles = [
  'package-lock.json',
  'packages/sdk/test/runtimes/package-lock.json',
  'bench/peers/programs/package-lock.json',
]

test.each(lockfiles.slice(0, 2))('every package of %s has an allowed licence', (file) => {
  expect(findLicenceProblems(readPackages(file))).toEqual([])
})

test('every package that the bench compares the service with has a licence that is allowed for development', () => {
  const packages = readPackages('bench/peers/programs/package-lock.json')
  const development = Object.entries(packages).map(
    ([path, entry]) => [path, { ...entry, dev: true }] as const,
  )

  expect(findLicenceProblems(Object.fromEntries(development))).toEqual([])
})

test('a package under the GPL, without a licence or with an unclear one is found', () => {
  const planted = {
    'node_modules/gpl': { license: 'GPL-3.0-only' },
    'node_modules/none': {},
    'node_modules/file': { license: 'SEE LICENSE IN LICENSE.md' },
    'node_modules/all': { license: '(MIT AND AGPL-3.0-only)' },
    'node_modules/mixed': { license: 'MIT OR (GPL-2.0 AND ISC)' },
    'node_modules/shipped': { license: 'MPL-2.0' },
    'node_modules/a/node_modules/deep': { license: 'SSPL-1.0', dev: true },
    'node_modules/fine': { license: '(MIT OR GPL-3.0-only)' },
    'node_modules/tool': { license: 'MPL-2.0', dev: true },
    // By hand only for development.
    'node_modules/prelude-ls': {},
  }

  expect(findLicenceProblems(planted)).toEqual([
    'gpl: GPL-3.0-only',
    'none: none',
    'file: SEE LICENSE IN LICENSE.md',
    'all: (MIT AND AGPL-3.0-only)',
    'mixed: MIT OR (GPL-2.0 AND ISC)',
    'shipped: MPL-2.0',
    'deep: SSPL-1.0',
    'prelude-ls: none',
  ])
})

function readPackages(file: string): LockedPackages {
  const lock: { packages: LockedPackages } = JSON.parse(readFileSync(file, 'utf8'))
  expect(Object.keys(lock.packages).length).toBeGreaterThan(3)
  return lock.packages
}
