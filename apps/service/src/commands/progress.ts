const every_ms = 200

export type Progress = {
  tell: (what: string, done: number, of: number) => void
  /** Wipes the line, so that what follows begins at its left. */
  end: () => void
}

/** How far a long command has come, on standard error when that is a terminal: a log file is spared the moving line. */
export function startProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let last = performance.now()
  let shown = false
  return {
    tell(what, done, of) {
      if (!stream.isTTY || performance.now() - last < every_ms) return
      last = performance.now()
      shown = true
      stream.write(`\r\u001B[K${what}: ${done.toLocaleString('en')} of ${of.toLocaleString('en')}`)
    },
    end() {
      if (shown) stream.write('\r\u001B[K')
      shown = false
    },
  }
}
