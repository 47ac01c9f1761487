import { type Language, texts } from '@vidimus/holder-texts'
import { type PageAssets, renderLayout, toHtml } from './layout.ts'

/** For errors such as an overloaded service: the verification may still be open, so the page offers to try again. */
export function renderErrorPage(language: Language, assets: PageAssets | undefined): string {
  const { component } = texts(language)
  return renderLayout({
    language,
    title: component.not_loaded,
    assets,
    // An empty address reloads this page.
    body: `<main class="neutral">
<h1>${toHtml(component.not_loaded)}</h1>
<p><a class="button" href="">${toHtml(component.retry)}</a></p>
</main>`,
  })
}

/** For every id without a verification. It does not reveal whether there ever was one. */
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
