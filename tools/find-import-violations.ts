import { globSync } from 'node:fs'
import { cruise as dependencyCruise, type IViolation } from 'dependency-cruiser'
import { importRules } from './import-rules.ts'

const roots = [
  'apps',
  'packages',
  'tools',
  'bench',
  'chaos',
  'conformance',
  'examples',
  'e2e',
  'sdks',
  'integrations',
]
// The programs of the peers import packages that only their benchmark installs.
const exclude = '(?:^|/)(?:node_modules|dist|bench/peers/programs)/'

export type ImportCheck = { violations: IViolation[]; seen: number; expected: number }

/** Reads every import below a folder and checks it against the rules. `expected` is the number of files on disk, to detect that files were not read. */
export async function findImportViolations(baseDir: string): Promise<ImportCheck> {
  const files = globSync(
    roots.map((root) => `${root}/**/*.{ts,tsx}`),
    { cwd: baseDir },
  ).filter((file) => !new RegExp(exclude).test(file))
  const result = await dependencyCruise(files, {
    baseDir,
    ruleSet: {
      forbidden: importRules.map(({ violation: _, ...rule }) => ({ ...rule, severity: 'error' })),
    },
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // What is built here, but not what packages bring in a folder of that name.
    exclude: { path: '^(?:apps|packages)/[^/]+/dist/|^bench/peers/programs/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  })
  if (typeof result.output === 'string')
    throw new TypeError('dependency-cruiser returned text instead of a result')
  const seen = new Set(result.output.modules.map((module) => module.source))
  return {
    violations: result.output.summary.violations,
    seen: files.filter((file) => seen.has(file)).length,
    expected: files.length,
  }
}
