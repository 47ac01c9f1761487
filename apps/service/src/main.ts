import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** 128 and the number of SIGPIPE, as shells report it. */
const brokenPipeStatus = 141

// Types are stripped once per machine instead of once per process, which halves the start-up time. Only what is imported
// afterwards is in the cache. The variable enables it in threads and child processes.
// oxlint-disable-next-line node/no-process-env -- a variable of Node, not a setting
const cache = (process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache'))
enableCompileCache(cache)
const args = process.argv.slice(2)
process.stdout.on('error', (error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error
  // The reader, such as `head`, has enough: exits as if by SIGPIPE. A service needs no reader.
  if (args[0] !== 'serve' && args[0] !== 'work') process.exit(brokenPipeStatus)
})
const { runCommandLine } = await import('./program/command-line.ts')
process.exitCode = await runCommandLine(args)
