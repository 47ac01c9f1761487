/** Runs a task repeatedly with a pause in between until disposed of, never twice at once. A failed run does not stop the next. */
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
