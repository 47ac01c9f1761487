import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Preloaded with `node --import`: appends each module that a process, its threads and its child processes load to the file of
// LOADED_MODULES, one per line.
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env['LOADED_MODULES'] ?? '', `${url}\n`)
    return nextLoad(url, context)
  },
})
