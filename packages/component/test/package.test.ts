import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildComponent, type ComponentFile } from '../build-package.ts'

const projectFolder = mkdtempSync(join(tmpdir(), 'vidimus-component-'))
const out = join(projectFolder, 'node_modules/@vidimus')
const packageFolder = join(out, 'npm')
let built: ComponentFile
let code: Buffer
beforeAll(async () => {
  built = await buildComponent(pathToFileURL(`${out}/`))
  code = readFileSync(join(out, built.file))
})
afterAll(() => rmSync(projectFolder, { recursive: true }))

test('one file has the version in its name and is smaller than 20 kB gzip, English included', () => {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))

  expect(readdirSync(out).filter((file) => file.endsWith('.js'))).toEqual([`vidimus-verify-${version}.js`])
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(20_000)
  expect(code.toString()).toContain('Continue with your wallet')
  expect(code.toString()).not.toMatch(/\bimport\s*[{*'"]|\bimport\(/)
})

test('its hash for the integrity attribute is written beside it', () => {
  const described = JSON.parse(readFileSync(join(out, 'component.json'), 'utf8'))

  expect(described).toEqual(built)
  expect(described.integrity).toBe(`sha384-${createHash('sha384').update(code).digest('base64')}`)
})

test('released versions are kept beside the current one, which must not differ from its release', async () => {
  const released = pathToFileURL(`${mkdtempSync(join(projectFolder, 'released-'))}/`)
  const next = pathToFileURL(`${join(projectFolder, 'next')}/`)
  writeFileSync(new URL('vidimus-verify-0.0.1.js', released), 'earlier')
  writeFileSync(new URL(built.file, released), code)
  await buildComponent(next, released)
  expect(readFileSync(new URL('vidimus-verify-0.0.1.js', next), 'utf8')).toBe('earlier')
  expect(readFileSync(new URL(built.file, next))).toEqual(code)

  writeFileSync(new URL(built.file, released), 'changed')
  await expect(buildComponent(next, released)).rejects.toThrow('Raise the version')
})

test('it contains nothing that a strict content security policy forbids', () => {
  expect(code.toString()).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\b/,
  )
})

test('both forms can be imported where there is no browser', () => {
  for (const file of [join(out, built.file), join(packageFolder, 'index.js')]) {
    const script = `import { tagName } from ${JSON.stringify(pathToFileURL(file))}\nconsole.log(tagName)`
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    expect(printed).toBe('vidimus-verify\n')
  }
})

test('the package contains every file that its manifest names', () => {
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const { types, default: module } = manifest.exports['.']

  expect(readdirSync(packageFolder).toSorted()).toEqual(
    [
      'LICENSE',
      'README.md',
      'element.d.ts',
      'events.d.ts',
      'index.d.ts',
      'index.js',
      'package.json',
    ].toSorted(),
  )
  expect([module, types, manifest.types]).toEqual(['./index.js', './index.d.ts', './index.d.ts'])
})

test("the declarations type the element and its events, and need no other package's types", () => {
  const use = `
    import { VidimusVerifyElement } from './node_modules/@vidimus/npm/index.js'
    export const element: VidimusVerifyElement = document.createElement('vidimus-verify')
    element.addEventListener('vidimus-completed', ({ detail }) => {
      const where: string | undefined = detail.redirect_uri
      return where
    })
    element.addEventListener('vidimus-failed', ({ detail }) => {
      // @ts-expect-error -- not an outcome
      return detail.outcome === 'completed'
    })
  `
  const compilerOptions = {
    lib: ['es2022', 'dom'],
    types: [],
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  }
  writeFileSync(join(projectFolder, 'use.mts'), use)
  writeFileSync(join(projectFolder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.mts'] }))

  expect(
    spawnSync('node_modules/typescript-7/bin/tsc', ['-p', projectFolder], { encoding: 'utf8' }).stdout,
  ).toBe('')
})
