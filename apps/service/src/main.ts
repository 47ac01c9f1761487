import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** 128 and the number of SIGPIPE, as shells report it. */
const brokenPipeStatus = 141
/** What runs until it is stopped. */
const longCommands = ['serve', 'work', 'dev']
/**
 * What V8 does with young objects decides the slowest responses, because nothing runs while they are collected. By default start-up lets
 * their part of the heap grow to 67 MB, collected rarely and all at once. And V8 puts what one place in the code makes among the old
 * objects once most of it has outlived a collection. A response's listeners did, once; from there each kept its request alive until the
 * old objects were collected, so that every request went on outliving collections.
 */
const memoryFlags = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring']

const args = process.argv.slice(2)
// V8 reads them when it starts, so the process starts again in place, before it has loaded anything. NODE_OPTIONS may say otherwise.
// oxlint-disable-next-line node/no-process-env -- a variable of Node, not a setting
const given = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ')
const missing = memoryFlags.filter((flag) => !given.includes(nameOf(flag)))
if (longCommands.includes(args[0] ?? '') && missing.length > 0 && process.platform !== 'win32')
  process.execve?.(process.execPath, [
    process.execPath,
    ...process.execArgv,
    ...missing,
    ...process.argv.slice(1),
  ])

function nameOf(flag: string): string {
  return flag.replace(/^--(no-)?/, '').replace(/=.*/, '')
}

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
