import { serveOnNode } from '../serve-on-node.ts'
import { POST as createCheck } from './app/checks/route.ts'
import { GET as showCheckout } from './app/route.ts'
import { POST as receiveWebhook } from './app/webhooks/vidimus/route.ts'

/** Serves the route handlers as Next.js would, without installing Next.js. In your own project, copy the folder `app`. */
serveOnNode((request) => {
  const { pathname } = new URL(request.url)
  if (request.method === 'GET' && pathname === '/') return showCheckout()
  if (request.method === 'POST' && pathname === '/checks') return createCheck()
  if (request.method === 'POST' && pathname === '/webhooks/vidimus') return receiveWebhook(request)
  return new Response('There is no such page.', { status: 404 })
})
