import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPackage } from '../build-package.ts'

const projectFolder = mkdtempSync(join(tmpdir(), 'vidimus-sdk-'))
const packageFolder = join(projectFolder, 'node_modules/@vidimus/sdk')
let tarball = ''
beforeAll(async () => {
  await buildPackage(pathToFileURL(`${packageFolder}/`))
  tarball = join(
    projectFolder,
    npm(['pack', '--silent', '--pack-destination', projectFolder], packageFolder).trim(),
  )
})
afterAll(() => rmSync(projectFolder, { recursive: true }))

// Most of it is declarations with their comments, which grow with every operation of the API; the code of a bundle does not.
test('[DX-7] the packed SDK is smaller than 26 kB and has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const kinds = Object.keys(manifest).filter((key) => /dependencies/i.test(key))

  expect(statSync(tarball).size).toBeLessThan(26_000)
  expect(kinds).toEqual([])
  for (const form of ['esm', 'cjs']) {
    const code = readFileSync(join(packageFolder, form, 'index.js'), 'utf8')
    expect(code).not.toMatch(/\brequire\(|^import |\bprocess\b|\bBuffer\b|node:/m)
  }
})

test('publint reports nothing', async () => {
  const { messages } = await publint({ pkgDir: packageFolder, strict: true, pack: false })

  expect(messages).toEqual([])
})

test('attw finds no problems with the types, for any way to import them', () => {
  const attw = spawnSync('attw', [tarball, '--format', 'table-flipped', '--no-emoji'], { encoding: 'utf8' })

  expect(attw.stdout).toContain('No problems found')
  expect(attw.status).toBe(0)
})

test('[DX-7] import and require give the same exports', () => {
  writeFileSync(
    join(projectFolder, 'a.mjs'),
    `import * as sdk from '@vidimus/sdk'\nconsole.log(Object.keys(sdk).sort().join())`,
  )
  writeFileSync(
    join(projectFolder, 'a.cjs'),
    `console.log(Object.keys(require('@vidimus/sdk')).sort().join())`,
  )
  const [imported, required] = ['a.mjs', 'a.cjs'].map((file) =>
    execFileSync(process.execPath, [file], { cwd: projectFolder, encoding: 'utf8' }),
  )

  expect(imported).toContain('createClient,createDeviceClient')
  expect(required).toBe(imported)
})

test('the declarations compile for browsers without other types, and are strict', () => {
  const use = `
    import { createClient, webhooks, type Verification } from '@vidimus/sdk'
    const vidimus = createClient({ baseUrl: 'https://verify.example', apiKey: 'vk_test_x' })
    export const created: Promise<Verification> = vidimus.verifications.create({ template: 'age_over_18' })
    // @ts-expect-error -- a misspelt member
    export const wrong = vidimus.verifications.create({ tempalte: 'age_over_18' })
    export const event = webhooks.verify({ body: '', headers: new Headers(), secret: 'whsec_x' })
  `
  const compilerOptions = {
    lib: ['es2022', 'dom'],
    types: [],
    module: 'esnext',
    moduleResolution: 'bundler',
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

function npm(args: string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
