/** How long an app may take to come to the front. */
const patience_ms = 3000

/** Notices that a link to a wallet led nowhere: the page is still in front after three seconds, and never was away. */
export function watchLink(signal: AbortSignal, onNothing: () => void): { follow: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => clearTimeout(timer)
  document.addEventListener('visibilitychange', cancel, { signal })
  // A dialog of the browser, or an app beside its window.
  window.addEventListener('blur', cancel, { signal })
  signal.addEventListener('abort', cancel)
  return {
    follow() {
      cancel()
      timer = setTimeout(() => {
        if (document.visibilityState === 'visible' && document.hasFocus()) onNothing()
      }, patience_ms)
    },
  }
}
