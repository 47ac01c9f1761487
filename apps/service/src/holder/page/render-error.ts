import { type Language, texts } from '@vidimus/holder-texts'
import { type PageAssets, renderLayout, toHtml } from './layout.ts'

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

/** For every id that has no session: it cannot be told whether there ever was one (PAGE-8). */
export function renderNeutralPage(language: Language, assets: PageAssets | undefined): string {
  const { page } = texts(language)
  return renderLayout({
    language,
    title: page.neutral_title,
    assets,
    body: `<main class="neutral">
<h1>${toHtml(page.neutral_title)}</h1>
<p>${toHtml(page.neutral_text)}</p>
</main>`,
  })
}
