import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Verifier } from '../../packages/sandbox/test/protocol-verification.ts'
import { protocolSource, type Decision, type Mutant } from './list-mutants.ts'

/** Inside the repository, so that the copy resolves its packages, but outside node_modules, where Node does not strip types. */
const parentFolder = join(import.meta.dirname, '../../.results')

/** Loads a copy of the verifier with the mutation applied. Disposing it deletes the copy. */
export async function loadMutant(mutant: Mutant) {
  await mkdir(parentFolder, { recursive: true })
  const folder = await mkdtemp(join(parentFolder, 'mutant-'))
  await cp(protocolSource, folder, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  for (const decision of mutant) await applyReplacement(folder, decision)
  return {
    // The copy exports what the original exports.
    verifier: (await import(pathToFileURL(join(folder, 'index.ts')).href)) as Verifier,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

async function applyReplacement(folder: string, { file, from, text, replacement }: Decision): Promise<void> {
  const source = await readFile(join(folder, file), 'utf8')
  const to = from + text.length
  if (source.slice(from, to) !== text) throw new Error(`${file} changed after its decisions were listed`)
  await writeFile(join(folder, file), source.slice(0, from) + replacement + source.slice(to))
}
