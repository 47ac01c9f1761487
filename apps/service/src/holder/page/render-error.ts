import { texts, type Language } from '@vidimus/holder-texts'
import type { PageAssets } from './assets.ts'
import { renderLayout, toHtml } from './layout.ts'

/** For every other error, such as an overloaded service: the session may still be open, so the page offers to try again. */
export function renderErrorPage(language: Language, assets: PageAssets | undefined): string {
  const { component } = texts(language)
  return renderLayout({
    language,
    title: component.not_loaded,
    assets,
    // An empty address is that of this very page.
    body: `<main class="neutral">
<h1>${toHtml(component.not_loaded)}</h1>
<p><a class="button" href="">${toHtml(component.retry)}</a></p>
</main>`,
  })
}
