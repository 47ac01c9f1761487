import { texts, type Language } from '@vidimus/holder-texts'
import { escapeHtml } from '../../../engine/formats/index.ts'
import type { PageAssets } from '../../page/assets.ts'
import { renderLayout, toHtml } from '../../page/layout.ts'
import type { SiteForm } from './build-answer.ts'
import { scriptHeaders } from './script-headers.ts'

export type FormPostPage = {
  language: Language
  assets: PageAssets | undefined
  form: SiteForm
  query: URLSearchParams
}

/** The button goes, because a second click would use the code twice. */
const submitScript = `
const [form] = document.forms
form.querySelector('button').remove()
form.submit()
`

/** A page that posts the answer to the site (OAuth 2.0 Form Post Response Mode §2), by a button where there is no script. */
export function renderFormPost({ language, assets, form, query }: FormPostPage): {
  text: string
  headers: Record<string, string>
} {
  const { component, page } = texts(language)
  const inputs = Object.entries(form.fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">\n`,
  )
  const text = renderLayout({
    language,
    title: component.loading,
    assets,
    query,
    body: `<main class="neutral">
<h1>${toHtml(component.loading)}</h1>
<form method="post" action="${escapeHtml(form.action)}">
${inputs.join('')}<button class="button">${toHtml(page.continue)}</button>
</form>
</main>
<script type="module">${submitScript}</script>`,
  })
  return { text, headers: scriptHeaders(submitScript, { postsForm: true }) }
}
