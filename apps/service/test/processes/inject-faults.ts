import { registerHooks } from 'node:module'

/** Replaces text in one source file when it is loaded. The file on disk is not changed. */
export type InjectedFault = { file: string; find: string; replacement: string }

/**
 * Runs the program with faults injected into its source, to show that a check detects them. The faults are JSON in the
 * environment variable INJECTED_FAULTS. Text that is not found is an error, so that a fault cannot become ineffective unnoticed.
 */
const injectedFaults: InjectedFault[] = JSON.parse(process.env['INJECTED_FAULTS'] ?? '[]')

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const faultsOfFile = injectedFaults.filter(({ file }) => url.endsWith(file))
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
