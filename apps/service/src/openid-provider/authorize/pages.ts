import { hash } from 'node:crypto'
import { texts, type Language } from '@vidimus/holder-texts'
import type { PageAssets } from '../../verify-page/assets.ts'
import { renderLayout, toHtml } from '../../verify-page/layout.ts'
import { pageHeaders } from '../../verify-page/page-headers.ts'

type Page = { text: string; headers: Record<string, string> }
type PageOptions = { language: Language; assets: PageAssets | undefined }

/** For a person who cannot go on. What is wrong is for the site's developer, in English. */
export function renderProblem({ language, assets, problem }: PageOptions & { problem: string }): Page {
  const { page } = texts(language)
  const text = renderLayout({
    language,
    title: page.neutral_title,
    assets,
    body: `<main class="neutral">
<h1>${toHtml(page.neutral_title)}</h1>
<p>${toHtml(page.neutral_text)}</p>
<p lang="en"><small>${toHtml(problem)}</small></p>
</main>`,
  })
  return { text, headers: pageHeaders(undefined) }
}

/**
 * The wallet's redirect brings its code in the fragment of the address, which browsers do not send: a script posts it, and goes where the
 * response says. If that fails, the page says so.
 */
const returnScript = `
const waiting = document.querySelector('[data-waiting]')
waiting.hidden = false
const code = new URLSearchParams(location.hash.slice(1)).get('response_code')
const response = await fetch(location.pathname, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ response_code: code ?? '' }),
}).catch(() => undefined)
const to = response?.ok ? (await response.json()).location : undefined
if (to) location.replace(to)
else {
  waiting.hidden = true
  document.querySelector('[data-failed]').hidden = false
}
`

export function renderReturn({ language, assets }: PageOptions): Page {
  const { component, page } = texts(language)
  const text = renderLayout({
    language,
    title: component.loading,
    assets,
    body: `<main class="neutral">
<h1 data-waiting hidden>${toHtml(component.loading)}</h1>
<div data-failed role="alert" hidden>
<h1>${toHtml(page.neutral_title)}</h1>
<p>${toHtml(page.neutral_text)}</p>
</div>
<noscript><h1>${toHtml(page.neutral_title)}</h1><p>${toHtml(page.neutral_text)}</p></noscript>
</main>
<script type="module">${returnScript}</script>`,
  })
  const headers = pageHeaders(undefined)
  const policy = headers['content-security-policy'] ?? ''
  return {
    text,
    headers: {
      ...headers,
      'content-security-policy': policy.replace("script-src 'self'", `script-src ${scriptHash}`),
    },
  }
}

const scriptHash = `'sha256-${hash('sha256', returnScript, 'base64')}'`
