import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const library = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

/**
 * Runs a command with a clock that can be set: libfaketime reads its offset from a file again and again. It is loaded by the last
 * program only, because its semaphore belongs to the user who loaded it first.
 */
export function withClock(folder: string, command: string, args: readonly string[]) {
  if (library === undefined) throw new Error('this fault needs the Debian package libfaketime')
  setClock(folder, 0)
  const settings = [
    `LD_PRELOAD=${library}`,
    `FAKETIME_TIMESTAMP_FILE=${clockFile(folder)}`,
    'FAKETIME_CACHE_DURATION=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
    'DONT_FAKE_MONOTONIC=1',
  ]
  return { command: 'env', args: [...settings, command, ...args] }
}

/** Sets the clock of a node this many seconds ahead; negative: behind. */
export function setClock(folder: string, seconds: number): void {
  writeFileSync(clockFile(folder), `${seconds < 0 ? '' : '+'}${seconds}\n`)
}

function clockFile(folder: string): string {
  return join(folder, 'clock')
}
