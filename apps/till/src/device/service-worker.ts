const updateInterval_ms = 3_600_000
let ready = false
const listeners = new Set<() => void>()

/**
 * Registers the service worker that keeps the app's own files. A new version installs itself in the background and takes over at once:
 * the running page has loaded all of its files, so it goes on until it is reloaded.
 */
export function registerServiceWorker(): void {
  const container = navigator.serviceWorker
  if (container === undefined) return
  const controlled = container.controller !== null
  container.addEventListener('controllerchange', () => {
    // The first installation is not an update.
    if (!controlled) return
    ready = true
    for (const listener of listeners) listener()
  })
  container
    .register('/till/sw.js', { scope: '/till' })
    .then((registration) =>
      setInterval(() => void registration.update().catch(() => undefined), updateInterval_ms),
    )
    // Private browsing and some managed browsers forbid it. The till works without, but does not open offline.
    .catch(() => undefined)
}

export function isUpdateReady(): boolean {
  return ready
}

export function watchUpdate(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
