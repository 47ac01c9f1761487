export type Progress = {
  /** What is counted, how many are done, and of how many if that is known. */
  update: (unit: string, done: number, total?: number) => void
  /** Clears the line. */
  end: () => void
}

type Counted = { unit: string; done: number; total: number | undefined; started_ms: number; first: number }

/** The place where a command prints its messages. */
type Output = { isTTY?: boolean; write: (text: string) => unknown }

export const progressIntervals_ms = { terminal: 250, lines: 10_000 }

/**
 * Shows on standard error how far a long command is: on a terminal one line that changes, with an estimate of the rest; elsewhere, such as in a
 * journal, a line every ten seconds, also while nothing moves. A command that is short prints nothing.
 */
export function startProgress(
  output: Output = process.stderr,
  intervals_ms: typeof progressIntervals_ms = progressIntervals_ms,
): Progress {
  let counted: Counted | undefined
  let shown = false
  const show = () => {
    if (counted === undefined) return
    const line = describe(counted, performance.now())
    output.write(output.isTTY === true ? `\r\u001B[K${line}` : `${line}\n`)
    shown = true
  }
  // It does not keep the process: when the work is done, so is the command.
  const timer = setInterval(show, output.isTTY === true ? intervals_ms.terminal : intervals_ms.lines).unref()
  return {
    update(unit, done, total) {
      if (counted?.unit !== unit) counted = { unit, done, total, started_ms: performance.now(), first: done }
      else Object.assign(counted, { done, total })
    },
    end() {
      clearInterval(timer)
      if (shown && output.isTTY === true) output.write('\r\u001B[K')
      counted = undefined
    },
  }
}

function describe({ unit, done, total, started_ms, first }: Counted, now_ms: number): string {
  const elapsed_ms = now_ms - started_ms
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`
  const rest_ms =
    total === undefined || done <= first ? undefined : (elapsed_ms / (done - first)) * (total - done)
  const rest = rest_ms === undefined || rest_ms < 1000 ? '' : `, about ${formatTime(rest_ms)} left`
  return `${unit}: ${done.toLocaleString('en')}${of}, ${formatTime(elapsed_ms)}${rest}`
}

function formatTime(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}
