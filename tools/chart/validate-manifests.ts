import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Manifest } from './chart.ts'

const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  module: 'nodenext',
  target: 'es2025',
  types: [],
}

/** The models of Kubernetes, the Prometheus operator and CloudNativePG, by group. Core objects have no group. */
const packages: Record<string, string> = {
  '': 'kubernetes-models',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
}

/**
 * Finds what an API server would refuse: values, with the schemas at run time, and unknown fields, which those schemas allow, with the types
 * of the same models.
 */
export async function validateManifests(manifests: readonly Manifest[]): Promise<string[]> {
  const values = await Promise.all(manifests.map(validateValues))
  return [...values.flat(), ...(await checkTypes(manifests))]
}

function modelOf({ apiVersion, kind }: Manifest): string {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : ''
  return `${packages[group] ?? packages['']}/${apiVersion}/${kind}`
}

async function validateValues(manifest: Manifest): Promise<string[]> {
  const { [manifest.kind]: Model } = await import(modelOf(manifest))
  try {
    new Model(manifest).validate()
    return []
  } catch (error) {
    return [`${describe(manifest)}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/** Compiles each object as a literal of its type, in which TypeScript accepts no unknown member. */
async function checkTypes(manifests: readonly Manifest[]): Promise<string[]> {
  const cache = resolve('node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'manifests-'))
  try {
    const lines = manifests.flatMap((manifest, at) => [
      `import type { I${manifest.kind} as Type${at} } from '${modelOf(manifest)}'`,
      `export const object${at}: Type${at} = ${JSON.stringify(manifest)}`,
    ])
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }))
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
    const output = await compile(folder)
    return output.split('\n').flatMap((line) => {
      const [, number, message] = /^.*manifests\.ts\((\d+),\d+\): error (.*)$/.exec(line) ?? []
      const manifest = manifests[Math.floor((Number(number) - 1) / 2)]
      return manifest === undefined ? [] : [`${describe(manifest)}: ${message}`]
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function compile(folder: string): Promise<string> {
  return new Promise((done, fail) => {
    execFile('node_modules/typescript-7/bin/tsc', ['-p', folder], (error, stdout) => {
      // The compiler exits with 1 or 2 if it found something, and says what.
      if (error !== null && !stdout.includes('manifests.ts(')) fail(new Error(stdout, { cause: error }))
      else done(stdout)
    })
  })
}

function describe({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`
}
