import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../basics/refusal.ts'
import { type StaticHandler, createStaticHandler } from './static-file.ts'

/**
 * Serves the page on which inspectors check receipts. It is the same for everybody and knows nothing of this installation, so that a saved copy
 * can be compared with another. Its own policy allows no request; the header repeats it and adds what a `meta` element cannot say.
 */
export function mountReceiptCheck(app: FastifyInstance, folder: string): void {
  let handler: StaticHandler | undefined
  app.get('/docs/receipt-check', (request, reply) => {
    handler ??= openPage(join(folder, 'receipt-check.html'))
    return handler(request, reply)
  })
}

function openPage(file: string): StaticHandler {
  if (!existsSync(file))
    throw new Refusal('not_found', 'The page for receipts is not built. Run `npm run build`.')
  const content = readFileSync(file, 'utf8')
  const policy = /http-equiv="content-security-policy"\s+content="([^"]+)"/.exec(content)?.[1]
  if (policy === undefined) throw new Error('the page for receipts has no policy')
  return createStaticHandler({
    type: 'text/html; charset=utf-8',
    content,
    headers: {
      'cache-control': 'public, max-age=300',
      'content-security-policy': `${policy}; frame-ancestors 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      'referrer-policy': 'no-referrer',
    },
  })
}
