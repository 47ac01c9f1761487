import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isInstalled } from './install.ts'

const packages = { '': {}, 'node_modules/a': { version: '1.0.0' } }
let folder = ''

beforeEach(() => {
  folder = `${mkdtempSync(join(tmpdir(), 'vidimus-peers-'))}/`
  mkdirSync(`${folder}node_modules`)
})
afterEach(() => rmSync(folder, { recursive: true }))

test('peers are installed if npm has completed what the lockfile names', () => {
  writeLockfile('package-lock.json', packages)
  expect(isInstalled(folder)).toBe(false)

  writeLockfile('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } })
  expect(isInstalled(folder)).toBe(true)
})

test('peers are not installed if the lockfile names another version or another package', () => {
  writeLockfile('node_modules/.package-lock.json', { 'node_modules/a': { version: '0.9.0' } })
  writeLockfile('package-lock.json', packages)
  expect(isInstalled(folder)).toBe(false)

  writeLockfile('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } })
  writeLockfile('package-lock.json', { ...packages, 'node_modules/b': { version: '2.0.0' } })
  expect(isInstalled(folder)).toBe(false)
})

test('an optional package for another platform need not be installed', () => {
  writeLockfile('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } })
  writeLockfile('package-lock.json', { ...packages, 'node_modules/c': { version: '3.0.0', optional: true } })

  expect(isInstalled(folder)).toBe(true)
})

function writeLockfile(name: string, content: object): void {
  writeFileSync(`${folder}${name}`, JSON.stringify({ packages: content }))
}
