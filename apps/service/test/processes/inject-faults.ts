import { registerHooks } from 'node:module'

/** A fault to plant in one source file while it is loaded. The file on disk stays as it is. */
export type InjectedFault = { file: string; find: string; put: string }

/**
 * Runs the program with faults planted in it, to see that a check catches them: a check that cannot fail shows nothing.
 * The faults come as JSON in PLANT; a text that is not found is an error, so that no plant withers unseen.
 */
const injectedFaults: InjectedFault[] = JSON.parse(process.env['PLANT'] ?? '[]')

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const faultsOfFile = injectedFaults.filter(({ file }) => url.endsWith(file))
    if (faultsOfFile.length === 0) return loaded
    let source = Buffer.from(loaded.source as Uint8Array).toString() // a file on disk is read as bytes
    for (const { file, find, put } of faultsOfFile) {
      if (!source.includes(find)) throw new Error(`nothing to plant in ${file}: ${find}`)
      source = source.replace(find, () => put)
    }
    return { ...loaded, source }
  },
})

await import('../../src/main.ts')
