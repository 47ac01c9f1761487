import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { installed } from './keep-installed.ts'

/** Bindings that work without being there. */
const native = ['pg-native', 'pkcs11js']

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

const programFolder = 'apps/service/src'

type Manifest = { name: string; version: string; license: string; dependencies?: Record<string, string> }

/**
 * Writes the package `vidimus` into a folder: the sources and what they depend on in a few files, because to find and load 1,350 files takes half
 * of the start, and what is read at run time in the folders of the repository.
 */
export async function buildProgram(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  const modules = await bundle(join(out, programFolder))
  for (const file of globSync(readFiles)) copy(file, join(out, file))
  copy('tools/program-package/README.md', join(out, 'README.md'))
  writeFileSync(join(out, 'LICENSES-of-dependencies.txt'), collectLicences(modules))
  chmodSync(join(out, programFolder, 'main.js'), 0o755)
  const { version } = readManifest('apps/service')
  writeJson(join(out, 'apps/service/package.json'), { name: 'vidimus', version, type: 'module' })
  writeJson(join(out, 'package.json'), createManifest())
}

/** Returns the modules that the files were made of. */
async function bundle(dir: string): Promise<string[]> {
  await using build = await rolldown({
    input: join(programFolder, 'main.ts'),
    platform: 'node',
    external: [...installed, ...native],
    plugins: [keepAddresses],
    // What is not found would be missing in the package.
    onLog: (_, { message }) => {
      throw new Error(message)
    },
  })
  const { output } = await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    banner: ({ fileName }) => (fileName === 'main.js' ? '#!/usr/bin/env node' : ''),
  })
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** A source finds the files that it reads from where it was, and the program of a thread or a process beside its own. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return null
    const source = posix.relative(programFolder, relative('.', id).replaceAll('\\', '/'))
    return code.replaceAll(
      /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.url/g,
      (_, entry?: string) => {
        if (entry === undefined) return `new URL(${JSON.stringify(source)}, import.meta.url).href`
        this.emitFile({ type: 'chunk', id: join(dirname(id), `${entry}.ts`), fileName: `${entry}.js` })
        return `new URL('./${entry}.js', import.meta.url)`
      },
    )
  },
}

/** The licences of the packages that are parts of the files. */
function collectLicences(modules: readonly string[]): string {
  const packages = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
  const texts = [...new Set(packages)].toSorted().map((folder) => {
    const { name, version, license } = readManifest(folder)
    const file = globSync('{licen[cs]e,LICEN[CS]E,Licen[cs]e}*', { cwd: folder }).at(0)
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version} (${license})\n\n${text}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

function createManifest(): object {
  const { version, license, dependencies = {} } = readManifest('apps/service')
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
    dependencies: Object.fromEntries(installed.map((name) => [name, dependencies[name]])),
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true })
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
