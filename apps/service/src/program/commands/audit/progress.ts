const updateInterval_ms = 200

export type Progress = {
  update: (unit: string, done: number, total: number) => void
  /** Clears the line. */
  end: () => void
}

/** Shows the progress of a long command on standard error if it is a terminal. */
export function startProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let last = performance.now()
  let shown = false
  return {
    update(unit, done, total) {
      if (!stream.isTTY || performance.now() - last < updateInterval_ms) return
      last = performance.now()
      shown = true
      stream.write(`\r\u001B[K${unit}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`)
    },
    end() {
      if (shown) stream.write('\r\u001B[K')
      shown = false
    },
  }
}
