type WatchPage = {
  /** A page in the background may have missed events: it asks again when it is seen. */
  onSeen: () => void
  onNetwork: (online: boolean) => void
  /** The colours of the system have changed. */
  onColours: () => void
}

export function watchPage(signal: AbortSignal, { onSeen, onNetwork, onColours }: WatchPage): void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') onSeen()
  }
  document.addEventListener('visibilitychange', onVisible, { signal })
  // Also when the browser brings the page back from its history.
  window.addEventListener('pageshow', ({ persisted }) => persisted && onVisible(), { signal })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onColours, { signal })
  window.addEventListener('offline', () => onNetwork(false), { signal })
  window.addEventListener('online', () => onNetwork(true), { signal })
}
