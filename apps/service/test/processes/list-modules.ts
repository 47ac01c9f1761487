import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Preloaded with `node --import`: writes the modules that a process loaded to the file of LOADED_MODULES, one per line, when it exits.
const loaded: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url)
    return nextLoad(url, context)
  },
})
process.on('exit', () => writeFileSync(process.env['LOADED_MODULES'] ?? '', loaded.join('\n')))
