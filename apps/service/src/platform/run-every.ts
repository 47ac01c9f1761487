/** Runs a task after every pause until it is disposed of, never twice at once. One that failed is run again like any other. */
export function runEvery(
  pause_ms: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Disposable {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const schedule = () => {
    if (!stopped) timer = setTimeout(() => void task().catch(onError).finally(schedule), pause_ms).unref()
  }
  schedule()
  return {
    [Symbol.dispose]() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
