import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** 128 and the number of SIGPIPE, as shells report it. */
const brokenPipeStatus = 141
/** What runs until it is stopped. */
const longCommands = ['serve', 'work', 'dev']
/**
 * By default start-up lets V8's young generation grow to 67 MB, which are then collected rarely and all at once: a poll waited for up to
 * 45 ms. With 8 MB, creations in progress outlive two collections and are kept as old.
 */
const youngGeneration = '--max-semi-space-size=16'

const args = process.argv.slice(2)
// V8 reads it when it starts, so the process starts again in place, before it has loaded anything. NODE_OPTIONS may say otherwise.
// oxlint-disable-next-line node/no-process-env -- a variable of Node, not a setting
const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ')
if (
  longCommands.includes(args[0] ?? '') &&
  !flags.includes('semi-space-size') &&
  process.platform !== 'win32'
)
  process.execve?.(process.execPath, [
    process.execPath,
    ...process.execArgv,
    youngGeneration,
    ...process.argv.slice(1),
  ])

// Types are stripped once per machine instead of once per process, which halves the start-up time. Only what is imported
// afterwards is in the cache. The variable enables it in threads and child processes.
// oxlint-disable-next-line node/no-process-env -- a variable of Node, not a setting
const cache = (process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache'))
enableCompileCache(cache)
process.stdout.on('error', (error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error
  // The reader, such as `head`, has enough: exits as if by SIGPIPE. A service needs no reader.
  if (!longCommands.includes(args[0] ?? '')) process.exit(brokenPipeStatus)
})
const { runCommandLine } = await import('./program/command-line.ts')
process.exitCode = await runCommandLine(args)
