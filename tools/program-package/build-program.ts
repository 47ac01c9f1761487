import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, posix } from 'node:path'

/** Packages of this repository that the program contains. The others are for development. */
const workspaces = ['contract', 'evidence', 'holder-texts', 'protocol', 'qr-code', 'sandbox', 'tokens']
/** What the program reads at run time, under the same paths as in the repository. */
const readFiles = [
  'apps/service/schema/**/*.sql',
  'apps/service/src/**/*.{css,js,json,svg}',
  'apps/{dashboard,dashboard/console,guides,till,verify}/dist/**/*.*',
  'packages/component/dist/*.*',
  'packages/component/released/**/*.js',
  'LICENSE',
]

/** Everything that the package is made of. A folder is younger than what was last removed from it. */
export const programSources = [
  ...readFiles,
  'apps/service/src/**/*',
  `packages/{${workspaces.join(',')}}/src/**/*`,
  `{apps/service,packages/{${workspaces.join(',')}}}/package.json`,
  'tools/program-package/*',
]

type Manifest = { version: string; license: string; dependencies: Record<string, string>; exports?: unknown }

/**
 * Writes the package `vidimus` into a folder: the sources as JavaScript, because Node strips no types below `node_modules`, in the folders of
 * the repository, so that every relative path stays valid.
 */
export function buildProgram(out: string): void {
  rmSync(out, { recursive: true, force: true })
  for (const file of listSources()) writeText(join(out, toScriptPath(file)), compile(file))
  for (const file of globSync(readFiles)) copy(file, join(out, file))
  copy('tools/program-package/README.md', join(out, 'README.md'))
  chmodSync(join(out, 'apps/service/src/main.js'), 0o755)
  const { version } = readManifest('apps/service')
  writeJson(join(out, 'apps/service/package.json'), { name: 'vidimus', version, type: 'module' })
  writeJson(join(out, 'package.json'), createManifest())
}

function listSources(): string[] {
  const folders = ['apps/service', ...workspaces.map((name) => `packages/${name}`)]
  return folders
    .flatMap((folder) => globSync(`${folder}/src/**/*.ts`))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts'))
}

/** Types become blanks, so that lines and columns in stack traces are those of the sources. */
function compile(file: string): string {
  const script = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    .replaceAll(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1')
    .replaceAll(
      /(\b(?:from|import)[\s(]*['"])@vidimus\/([\w-]+)(\/[\w-]+)?(?=['"])/g,
      (_, start, name, entry = '') =>
        `${start}${relativePath(file, toScriptPath(resolveExport(name, entry)))}`,
    )
  return file.endsWith('apps/service/src/main.ts') ? `#!/usr/bin/env node\n${script}` : script
}

function relativePath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** The source file that a package exports: `@vidimus/contract/roles` is packages/contract/src/dashboard/roles.ts. */
function resolveExport(name: string, entry: string): string {
  const { exports } = readManifest(`packages/${name}`)
  const target = typeof exports === 'string' ? exports : Object(exports)[entry === '' ? '.' : `.${entry}`]
  if (typeof target !== 'string') throw new Error(`@vidimus/${name}${entry} is not exported`)
  return posix.join('packages', name, target)
}

function toScriptPath(file: string): string {
  return file.replace(/\.ts$/, '.js')
}

function createManifest(): object {
  const manifests = [
    readManifest('apps/service'),
    ...workspaces.map((name) => readManifest(`packages/${name}`)),
  ]
  const dependencies = Object.fromEntries(
    manifests
      .flatMap((each) => Object.entries(each.dependencies ?? {}))
      .filter(([name]) => !name.startsWith('@vidimus/'))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  const { version, license } = readManifest('apps/service')
  return {
    name: 'vidimus',
    version,
    description:
      'Verification of claims from digital identity wallets: the service, its worker and its command line.',
    keywords: ['identity', 'wallet', 'eudi', 'openid4vp', 'age-verification', 'verifier'],
    license,
    type: 'module',
    bin: { vidimus: 'apps/service/src/main.js' },
    exports: { './package.json': './package.json' },
    engines: { node: '>=24' },
    dependencies,
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true })
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function writeJson(path: string, value: object): void {
  writeText(path, `${JSON.stringify(value, null, 2)}\n`)
}
