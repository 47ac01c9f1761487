import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | undefined

/**
 * Gives the run a folder of its own for temporary files, which is removed with all that is in it. So nothing stays behind even if a test fails
 * before it cleans up, runs into its time limit, or ends with its worker.
 */
export function setup(): void {
  // Where the program keeps it too. The threads that verify responses start in a third of the time with it.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')
  folder = mkdtempSync(join(tmpdir(), 'vidimus-tests-'))
  // Servers that run as another user have their folders in it.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
}

export function teardown(): void {
  // A process that was killed a moment ago may still write.
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
