import { accessSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Replaces text in one file of `apps/service/src` when it is loaded. The file on disk is not changed. */
export type InjectedFault = { file: string; find: string; replacement: string }

/**
 * Runs the program with faults injected into its source, to show that a check detects them. The faults are JSON in the
 * environment variable INJECTED_FAULTS. The faults are listed in `injected-faults.ts`.
 */
const injectedFaults: InjectedFault[] = JSON.parse(process.env['INJECTED_FAULTS'] ?? '[]')

const sourceUrl = ({ file }: InjectedFault) => new URL(`../../src/${file}`, import.meta.url)
for (const fault of injectedFaults) accessSync(sourceUrl(fault))

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const faultsOfFile = injectedFaults.filter((fault) => sourceUrl(fault).href === url)
    if (faultsOfFile.length === 0) return loaded
    let source = Buffer.from(loaded.source as Uint8Array).toString() // a file on disk is read as bytes
    for (const { file, find, replacement } of faultsOfFile) {
      if (!source.includes(find)) throw new Error(`cannot inject a fault: ${file} does not contain ${find}`)
      source = source.replace(find, () => replacement)
    }
    return { ...loaded, source }
  },
})

await import('../../src/main.ts')
