import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import ts from 'typescript'

const packageRoot = new URL('./', import.meta.url)
const entry = fileURLToPath(new URL('src/index.ts', packageRoot))

/**
 * Builds the package that merchants install: one ES module, the same code as CommonJS, and type declarations for both. Inside this
 * repository the sources are used directly, so nothing depends on a build.
 */
export async function buildPackage(out: URL): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await bundleCode(out)
  // Declarations are published once: a module can import those of CommonJS, but not the other way round.
  writeDeclarations(new URL('cjs/', out))
  writeFileSync(new URL('esm/index.d.ts', out), "export * from '../cjs/index.js'\n")
  // Needed because the package itself has "type": "module".
  writeFileSync(new URL('cjs/package.json', out), '{ "type": "commonjs" }\n')
  writeFileSync(new URL('package.json', out), `${JSON.stringify(createManifest(), null, 2)}\n`)
  copyFileSync(new URL('README.md', packageRoot), new URL('README.md', out))
  copyFileSync(new URL('../../LICENSE', packageRoot), new URL('LICENSE', out))
  cpSync(new URL('vectors/webhooks.json', packageRoot), new URL('vectors/webhooks.json', out))
}

/** Comments stay in the declarations, where editors show them. The code has none, but is not minified. */
async function bundleCode(out: URL): Promise<void> {
  const build = await rolldown({ input: entry, platform: 'neutral' })
  for (const format of ['esm', 'cjs'] as const) {
    const dir = fileURLToPath(new URL(`${format}/`, out))
    await build.write({ format, dir, comments: false })
    const file = `${dir}index.js`
    // The bundler names the source file of each part, which nobody has.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^\/\/.*\n/gm, ''))
  }
  await build.close()
}

function writeDeclarations(out: URL): void {
  const program = ts.createProgram([entry], {
    rootDir: fileURLToPath(new URL('src', packageRoot)),
    outDir: fileURLToPath(out),
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.esnext.disposable.d.ts'],
    types: ['node'],
    module: ts.ModuleKind.NodeNext,
    rewriteRelativeImportExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
  })
  const { diagnostics } = program.emit()
  const errors = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, formatHost))
  const types = new URL('types.d.ts', out)
  // A comment of one sentence takes one line.
  writeFileSync(types, readFileSync(types, 'utf8').replaceAll(/\/\*\*\n +\* (.+)\n +\*\/\n/g, '/** $1 */\n'))
  // No exported declaration refers to these.
  for (const inner of [
    'operations',
    'read-response',
    'device/refresh',
    'webhooks/hmac',
    'webhooks/read-signature',
  ]) {
    rmSync(new URL(`${inner}.d.ts`, out))
  }
}

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (file) => file,
  getCurrentDirectory: () => fileURLToPath(packageRoot),
  getNewLine: () => '\n',
}

function createManifest(): object {
  const { name, version, description, license } = JSON.parse(
    readFileSync(new URL('package.json', packageRoot), 'utf8'),
  )
  return {
    name,
    version,
    description,
    keywords: ['identity', 'wallet', 'eudi', 'openid4vp', 'age-verification', 'webhook'],
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    exports: {
      '.': {
        import: { types: './esm/index.d.ts', default: './esm/index.js' },
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
      },
      './vectors/*': './vectors/*',
      './package.json': './package.json',
    },
  }
}
