import { readFileSync } from 'node:fs'
import { startedByNpm } from '../../../engine/config/index.ts'

const interval_ms = 500

/**
 * Calls `stop` when `npm run`, which started this process, has ended: a killed npm leaves its commands running. Does nothing in a process
 * that was started in another way, which may well outlive its shell.
 */
export function watchNpm(stop: () => void): void {
  if (!startedByNpm()) return
  const started = readAncestors()
  const timer = setInterval(() => {
    if (readAncestors() === started) return
    clearInterval(timer)
    stop()
  }, interval_ms).unref()
}

/** The parent process, and npm if the parent is the shell that npm started. A process whose parent ends gets another one. */
function readAncestors(): string {
  const { ppid } = process
  const shell = readProcess(ppid)
  return shell?.name === 'sh' ? `${ppid} ${shell.parent}` : String(ppid)
}

function readProcess(pid: number): { name: string; parent: string } | undefined {
  try {
    // proc(5): pid, the name in parentheses, state, parent.
    const [, name = '', parent = ''] =
      /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return { name, parent }
  } catch {
    // It has ended, or this is not Linux: then only the parent itself is watched.
    return undefined
  }
}
