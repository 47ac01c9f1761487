import { texts, type Language } from '@vidimus/holder-texts'
import { type PageAssets, renderLayout, toHtml } from '../../page/layout.ts'
import { pageHeaders } from '../../page/page-headers.ts'
import { requestId } from '../../page/render-error.ts'
import type { ResponseMode } from './read-request.ts'
import { scriptHeaders } from './return.ts'

type Page = { text: string; headers: Record<string, string> }
/** `offered`: the languages of the issuer, if it is known. */
type PageOptions = {
  language: Language
  offered: readonly Language[] | undefined
  assets: PageAssets | undefined
}

/** For a person who cannot continue. The problem is in English, for the site's developer. `query` is that of the address, without the language. */
export function renderProblem({
  language,
  offered,
  assets,
  problem,
  request_id,
  query,
}: PageOptions & { problem: string; request_id: string; query: URLSearchParams }): Page {
  const { page } = texts(language)
  const text = renderLayout({
    language,
    offered,
    title: page.neutral_title,
    single: true,
    assets,
    query,
    body: `<main class="frame"><section class="state">
<h1>${toHtml(page.neutral_title)}</h1>
<p>${toHtml(page.neutral_text)}</p>
<p lang="en"><small>${toHtml(problem)}</small></p>
${requestId(request_id)}
</section></main>`,
  })
  return { text, headers: pageHeaders(language) }
}

/**
 * The wallet's redirect brings its code in the fragment of the address, which browsers do not send: a script posts it, and goes to the site
 * as the response says. If that fails, the page says so. Without a code, this is the tab that stayed open when the wallet opened another one.
 */
const returnScript = `
const show = (name) => {
  for (const part of document.querySelectorAll('[data-part]')) part.hidden = part.dataset.part !== name
  document.title = document.querySelector('[data-part=' + name + '] h1').textContent
}
const post = ({ action, fields }) => {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action, hidden: true })
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    form.append(Object.assign(input, { type: 'hidden', name, value }))
  }
  document.body.append(form)
  form.submit()
}
const goBack = async (response_code) => {
  show('waiting')
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ response_code }),
  }).catch(() => undefined)
  if (!response?.ok) return show('failed')
  const answer = await response.json()
  if (answer.form) post(answer.form)
  else location.replace(answer.location)
}
for (const link of document.querySelectorAll('.languages a')) link.hash = location.hash
const code = new URLSearchParams(location.hash.slice(1)).get('response_code')
if (code) await goBack(code)
else show('other_tab')
`

export function renderReturn({
  language,
  offered,
  assets,
  response_mode,
}: PageOptions & { response_mode: ResponseMode }): Page {
  const { component, page } = texts(language)
  const failed = `<h1>${toHtml(page.neutral_title)}</h1>
<p>${toHtml(page.neutral_text)}</p>`
  const text = renderLayout({
    language,
    offered,
    title: page.neutral_title,
    single: true,
    assets,
    body: `<main class="frame"><section class="state">
<div data-part="waiting" hidden><h1>${toHtml(component.loading)}</h1></div>
<div data-part="other_tab" role="status" hidden>
<h1>${toHtml(page.other_tab_title)}</h1>
<p>${toHtml(page.other_tab_text)}</p>
</div>
<div data-part="failed" role="alert" hidden>
${failed}
</div>
<noscript><div>${failed}</div></noscript>
</section></main>
<script type="module">${returnScript}</script>`,
  })
  return {
    text,
    headers: scriptHeaders(returnScript, { language, postsForm: response_mode === 'form_post' }),
  }
}
