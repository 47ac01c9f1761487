import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Types are stripped once per machine instead of once per process, which halves the start-up time. Only what is imported
// afterwards is in the cache. The variable enables it in threads and child processes.
// oxlint-disable-next-line node/no-process-env -- a variable of Node, not a setting
const cache = (process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache'))
enableCompileCache(cache)
const { runCommandLine } = await import('./command-line.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
