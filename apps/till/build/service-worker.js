// The build fills in the version and the list of files. Only these files are ever stored: nothing of the API, and no claims.
const version = '__VERSION__'
const shell = __SHELL__
const cacheName = `vidimus-till-${version}`

addEventListener('install', (event) => {
  // The last request of a page that is being closed: Chromium 156 lost half of those that passed through a service worker, even one that
  // does nothing with them.
  event.addRoutes?.({ condition: { requestMethod: 'POST' }, source: 'network' })
  const requests = shell.map((url) => new Request(url, { cache: 'reload' }))
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll(requests))
      .then(() => self.skipWaiting()),
  )
})

addEventListener('activate', (event) => {
  event.waitUntil(deleteOldVersions().then(() => self.clients.claim()))
})

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return
  const page = mode === 'navigate' && (pathname === '/till' || pathname === '/till/')
  const path = page ? '/till' : pathname
  // Everything else goes to the network as if there were no service worker.
  if (!shell.includes(path)) return
  event.respondWith(
    caches.match(path, { cacheName, ignoreVary: true }).then((found) => found ?? fetch(event.request)),
  )
})

async function deleteOldVersions() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith('vidimus-till-') && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}
