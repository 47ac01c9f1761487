import { openapiDocument, postmanCollection } from '@vidimus/contract'
import type { FastifyInstance } from 'fastify'
import { pageHead } from '../../formats/html.ts'
import { createStaticHandler } from './static-file.ts'

/** Same origin only. The reader inserts its own inline styles. */
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

const page = `${pageHead('Vidimus API')}
<body>
<div id="app"></div>
<script src="/docs/prepare.js"></script>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** Colours with enough contrast, and buttons of the size that WCAG 2.2 wants. */
const referenceStyle = `
.light-mode {
  --scalar-color-2: #5f5f5f;
  --scalar-color-3: #666666;
  --scalar-color-green: #00633f;
  --scalar-color-blue: #005d99;
  --scalar-color-red: #b80000;
  --scalar-color-orange: #9c3600;
  --scalar-color-yellow: #755800;
}
.dark-mode {
  --scalar-color-3: #a0a0a0;
  --scalar-color-red: #ff7070;
}
[class*='top-[1lh]'] {
  min-width: 24px;
  min-height: 24px;
}
`

/** Default fonts, telemetry, the assistant and MCP would contact other hosts. */
const startScript = `Scalar.createApiReference('#app', ${JSON.stringify({
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'bearer' },
  defaultOpenAllTags: true,
  showDeveloperTools: 'never',
  customCss: referenceStyle,
})})

// Some buttons of the reference have neither a label nor a text that is shown.
const nameButtons = () => {
  naming = undefined
  for (const button of document.querySelectorAll('button[aria-controls]')) {
    const shown = button.cloneNode(true)
    for (const hidden of shown.querySelectorAll('[aria-hidden=true]')) hidden.remove()
    const isNamed = button.getAttribute('aria-label') || (shown.textContent.trim() && button.innerText.trim())
    if (!isNamed) button.setAttribute('aria-label', 'Show or hide details')
  }
}
let naming
const changed = () => (naming ??= setTimeout(nameButtons, 200))
new MutationObserver(changed).observe(document.body, { childList: true, subtree: true })
`

/** The reference bundles zod, which calls `new Function` unless disabled, and the page's policy forbids that. */
const prepareScript = 'globalThis.__zod_globalConfig = { jitless: true }\n'

const cacheControl = 'public, max-age=3600'

const scriptType = 'text/javascript; charset=utf-8'

/** The OpenAPI document, a page that renders it (GEN-4) with a script that `npm run build` put beside the guides, and a collection for Postman and Bruno. */
export function mountDocs(app: FastifyInstance): void {
  const description = (document: () => object) =>
    createStaticHandler({
      type: 'application/json; charset=utf-8',
      content: () => JSON.stringify(document()),
      headers: { 'cache-control': cacheControl, 'access-control-allow-origin': '*' },
    })
  app.get('/openapi.json', { config: { anyOrigin: true } }, description(openapiDocument))
  app.get('/postman.json', { config: { anyOrigin: true } }, description(postmanCollection))
  const headers = { 'content-security-policy': contentSecurityPolicy }
  app.get('/docs', createStaticHandler({ type: 'text/html; charset=utf-8', content: page, headers }))
  app.get(
    '/docs/prepare.js',
    createStaticHandler({
      type: scriptType,
      content: prepareScript,
      headers: { 'cache-control': cacheControl },
    }),
  )
  app.get(
    '/docs/start.js',
    createStaticHandler({
      type: scriptType,
      content: startScript,
      headers: { 'cache-control': cacheControl },
    }),
  )
}
