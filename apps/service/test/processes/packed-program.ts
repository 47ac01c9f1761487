import { execFileSync } from 'node:child_process'
import { globSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programSources } from '../../../../tools/program-package/build-program.ts'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const folder = join(repository, 'apps/service/dist')
/** Set by the first process of a run, so that the others need not look. */
const variable = 'TEST_PROGRAM'

/**
 * The program as it is installed: what tests, drills and documents start, because that is what operators run. Packs it if a source has
 * changed since, which takes seconds. Tests that inject faults run the sources.
 */
export function packedProgram(): string {
  return (process.env[variable] ??= packIfOutOfDate())
}

function packIfOutOfDate(): string {
  const program = join(folder, 'apps/service/src/main.js')
  const packed_ms = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = globSync(programSources, { cwd: repository })
  if (sources.some((file) => statSync(join(repository, file)).mtimeMs > packed_ms)) {
    // Another run may be starting it.
    const fresh = `${folder}.${process.pid}`
    execFileSync(process.execPath, ['tools/build-program.ts', fresh], { cwd: repository })
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  }
  return program
}
