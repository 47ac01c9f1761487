import { globSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { postgresBinaries } from '../../../apps/service/test/processes/postgres-server.ts'

const library = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

/**
 * PostgreSQL's programs, with a server whose clock can be set: libfaketime reads its offset from a file again and again. Only the
 * server loads it; Patroni, which has threads, would hang.
 */
export function clockedBinaries(folder: string): string {
  if (library === undefined) throw new Error('this fault needs the Debian package libfaketime')
  if (postgresBinaries === undefined) throw new Error('PostgreSQL is not installed')
  setClock(folder, 0)
  const binaries = join(folder, 'bin')
  mkdirSync(binaries)
  for (const program of readdirSync(postgresBinaries))
    if (program !== 'postgres') symlinkSync(join(postgresBinaries, program), join(binaries, program))
  const settings = [
    `LD_PRELOAD=${library}`,
    `FAKETIME_TIMESTAMP_FILE=${clockFile(folder)}`,
    'FAKETIME_CACHE_DURATION=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
    'DONT_FAKE_MONOTONIC=1',
  ]
  const server = join(postgresBinaries, 'postgres')
  writeFileSync(join(binaries, 'postgres'), `#!/bin/sh\nexec env ${settings.join(' ')} ${server} "$@"\n`, {
    mode: 0o755,
  })
  return binaries
}

/** Sets the clock of a node this many seconds ahead; negative: behind. */
export function setClock(folder: string, seconds: number): void {
  writeFileSync(clockFile(folder), `${seconds < 0 ? '' : '+'}${seconds}\n`)
}

function clockFile(folder: string): string {
  return join(folder, 'clock')
}
