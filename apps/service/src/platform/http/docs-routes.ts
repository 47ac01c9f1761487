import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { openapiDocument } from '@vidimus/contract'
import { fastify, type FastifyInstance } from 'fastify'
import { mountGuides } from './guides/mount.ts'

/** Everything from here, nothing from elsewhere. The reader writes its own style sheets into the page. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Vidimus API</title>
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

/** Fonts, measurements, the assistant and its server would be fetched from elsewhere or lead there. */
const start = `Scalar.createApiReference('#app', ${JSON.stringify({
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'bearer' },
  defaultOpenAllTags: true,
  showDeveloperTools: 'never',
})})\n`

const cached = 'public, max-age=3600'

/** The description of the API, and the same for people (GEN-4). */
export function mountDocs(app: FastifyInstance): void {
  const description = JSON.stringify(openapiDocument())
  let script: Promise<Script> | undefined
  mountGuides(app)

  app.get('/openapi.json', { config: { anyOrigin: true } }, (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('cache-control', cached)
      .header('access-control-allow-origin', '*')
      .send(description),
  )
  app.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .send(page),
  )
  app.get('/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', cached).send(start),
  )
  app.get('/docs/scalar.js', async (request, reply) => {
    const { plain, compressed } = await (script ??= loadScript())
    reply.type('text/javascript; charset=utf-8').headers({ 'cache-control': cached, vary: 'accept-encoding' })
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(compressed)
  })
}

type Script = { plain: string; compressed: Buffer }

/** Scalar ships its four megabytes inside a plugin; they are taken out once, when someone first looks. */
async function loadScript(): Promise<Script> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const host = fastify()
  await host.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { payload } = await host.inject('/docs/js/scalar.js')
  await host.close()
  return { plain: payload, compressed: await promisify(gzip)(payload) }
}
