import type { IncomingHttpHeaders } from 'node:http'
import { guideStyle, pageHead } from '../../formats/html.ts'

/** Paths of programs. A browser that opens one sees the JSON that a program would get. */
const programPaths = /^\/(?:v1|wallet|listen|dashboard\/api)(?:\/|$)/

/** Whether a person opened this path in a browser, and not a program. */
export function isOpenedByPerson(
  method: string,
  path: string,
  { accept = '' }: IncomingHttpHeaders,
): boolean {
  return method === 'GET' && accept.includes('text/html') && !programPaths.test(path)
}

export const notFoundHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
  vary: 'accept',
}

/** Nothing of the address is repeated, since it may contain anything. */
export const notFoundPage = `${pageHead('Page not found · Vidimus', guideStyle)}
<body>
<header><a class="brand" href="/docs/guides">Vidimus</a></header>
<div class="columns single">
<main id="text">
<h1>Page not found</h1>
<p>There is nothing at this address. Check it for typing mistakes, or go on from here:</p>
<ul>
<li><a href="/dashboard">Dashboard</a></li>
<li><a href="/docs/guides">Guides</a></li>
<li><a href="/docs">API reference</a></li>
</ul>
</main>
</div>
</body>
</html>
`
