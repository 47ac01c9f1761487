import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const library = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

/** The environment of a node whose clock can be set: libfaketime reads its offset from a file again and again. */
export function clockEnvironment(folder: string): Record<string, string> {
  if (library === undefined) throw new Error('this fault needs the Debian package libfaketime')
  setClock(folder, 0)
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clockFile(folder),
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}

/** Sets the clock of a node this many seconds ahead; negative: behind. */
export function setClock(folder: string, seconds: number): void {
  writeFileSync(clockFile(folder), `${seconds < 0 ? '' : '+'}${seconds}\n`)
}

function clockFile(folder: string): string {
  return join(folder, 'clock')
}
