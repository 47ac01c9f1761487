import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const chunk = Buffer.alloc(1024 * 1024)

/** Gives a folder a file system of its own, in memory. */
export function mountDisk(folder: string, megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder])
}

/** Unmounts every file system below a folder. */
export function unmountDisks(folder: string): void {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  for (const path of mounted.filter((one) => one.startsWith(`${folder}/`))) execFileSync('umount', [path])
}

/** Writes a file until the file system has no space left. */
export function fillDisk(folder: string): void {
  const file = openSync(join(folder, 'filler'), 'w')
  try {
    for (;;) writeSync(file, chunk)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}

export function freeDisk(folder: string): void {
  rmSync(join(folder, 'filler'))
}
