import type { Log } from '../platform/log.ts'

/** An orchestrator waits 15 s after SIGTERM before it kills. */
export const killAfter_ms = 14_500

/** Why a process ends: it was told to, or an error was thrown that nothing handled. */
type Ending = 'SIGTERM' | 'SIGINT' | 'failed'

/**
 * Waits until a long-running command has to end, and sees to it that it does: whatever still hangs after `killAfter_ms` is
 * cut off, and a second signal ends the process at once. After an error that nothing handled nobody knows what else is broken:
 * it is logged once, and the process drains and exits with 1, so that its supervisor starts another.
 */
export function untilEnd(log: Log): Promise<Ending> {
  return new Promise((resolve) => {
    let ending = false
    const end = (why: Ending) => {
      ending = true
      setTimeout(() => process.exit(1), killAfter_ms).unref()
      resolve(why)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => (ending ? process.exit(1) : end(signal)))
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => {
        if (ending) return
        log.fatal({ err: error }, 'an error was not handled: the process ends')
        end('failed')
      })
  })
}
