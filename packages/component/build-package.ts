import { createHash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { importStyles } from './build-styles.ts'

const packageRoot = new URL('./', import.meta.url)
const entry = fileURLToPath(new URL('src/index.ts', packageRoot))
const { name, version, description, license } = JSON.parse(
  readFileSync(new URL('package.json', packageRoot), 'utf8'),
) as Record<'name' | 'version' | 'description' | 'license', string> // its own manifest

/** The file that the service serves, and its hash for the attribute `integrity` of a script element. */
export type ComponentFile = { file: string; integrity: string }

/**
 * Builds the component in two forms: one minified file with the version in its name, which the service serves to browsers, and the npm
 * package with its declarations. Earlier versions stay beside it: merchants have pinned them.
 */
export async function buildComponent(
  out: URL,
  released: URL = new URL('released/', packageRoot),
): Promise<ComponentFile> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(new URL('npm/', out), { recursive: true })
  const minified = `vidimus-verify-${version}.js`
  await bundleCode(fileURLToPath(new URL(minified, out)), true)
  copyReleased(released, { out, current: minified })
  await bundleCode(fileURLToPath(new URL('npm/index.js', out)), false)
  writeDeclarations(new URL('npm/', out))
  writeFileSync(new URL('npm/package.json', out), `${JSON.stringify(createManifest(), null, 2)}\n`)
  copyFileSync(new URL('README.md', packageRoot), new URL('npm/README.md', out))
  copyFileSync(new URL('../../LICENSE', packageRoot), new URL('npm/LICENSE', out))
  const hash = createHash('sha384').update(readFileSync(new URL(minified, out)))
  const described = { file: minified, integrity: `sha384-${hash.digest('base64')}` }
  writeFileSync(new URL('component.json', out), `${JSON.stringify(described, null, 2)}\n`)
  return described
}

/** A released file never changes: its name is cached for ever, and its hash is in merchants' pages. */
function copyReleased(released: URL, { out, current }: { out: URL; current: string }): void {
  for (const file of globSync('vidimus-verify-*.js', { cwd: fileURLToPath(released) })) {
    const content = readFileSync(new URL(file, released))
    if (file === current && !content.equals(readFileSync(new URL(file, out))))
      throw new Error(`${file} was released with other content. Raise the version of the package.`)
    writeFileSync(new URL(file, out), content)
  }
}

async function bundleCode(file: string, minify: boolean): Promise<void> {
  const build = await rolldown({ input: entry, platform: 'browser', plugins: [importStyles, dropMaskSearch] })
  await build.write({ format: 'esm', file, minify, comments: false })
  await build.close()
}

/** `drawQrPath` names the mask of its codes, so that the library never compares masks. */
const dropMaskSearch = {
  name: 'drop-mask-search',
  transform(code: string, file: string) {
    if (!file.includes('/node_modules/uqr/')) return null
    const cuts = [
      ['  getPenaltyScore() {', '  getAlignmentPatternPositions() {'],
      ['  finderPenaltyCountPatterns(', '\n}\n'],
    ] as const
    return cuts.reduce((kept, [from, to]) => {
      const start = kept.indexOf(from)
      const end = kept.indexOf(to, start)
      if (start < 0 || end < 0) throw new Error(`uqr has changed: it has no ${from.trim()}`)
      return kept.slice(0, start) + kept.slice(end)
    }, code)
  },
}

/** Only the entry's declarations and those they refer to. */
function writeDeclarations(out: URL): void {
  const program = ts.createProgram([entry], {
    rootDir: fileURLToPath(new URL('src', packageRoot)),
    outDir: fileURLToPath(out),
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2025.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    module: ts.ModuleKind.NodeNext,
    rewriteRelativeImportExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
  })
  for (const file of ['index.ts', 'element.ts', 'events.ts']) {
    const source = program.getSourceFile(fileURLToPath(new URL(`src/${file}`, packageRoot)))
    const { diagnostics } = program.emit(source)
    if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, formatHost))
  }
}

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (file) => file,
  getCurrentDirectory: () => fileURLToPath(packageRoot),
  getNewLine: () => '\n',
}

function createManifest(): object {
  return {
    name,
    version,
    description,
    keywords: ['identity', 'wallet', 'eudi', 'openid4vp', 'age-verification', 'web-component'],
    license,
    type: 'module',
    // Importing it registers the element.
    sideEffects: true,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    types: './index.d.ts',
  }
}
