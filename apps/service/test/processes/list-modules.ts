import { appendFileSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// Preloaded with `node --import`: appends what a process, its threads and its child processes load to the file of LOADED_MODULES, one per
// line: the address of each module, and the sources that the packed program names in it.
registerHooks({
  load(url, context, nextLoad) {
    const text = url.startsWith('file:') ? readFileSync(fileURLToPath(url), 'utf8') : ''
    const sources = Array.from(text.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm), ([, source = '']) => source)
    appendFileSync(process.env['LOADED_MODULES'] ?? '', `${[url, ...sources].join('\n')}\n`)
    return nextLoad(url, context)
  },
})
