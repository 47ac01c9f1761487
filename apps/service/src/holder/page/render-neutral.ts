import { texts, type Language } from '@vidimus/holder-texts'
import type { PageAssets } from './assets.ts'
import { renderLayout, toHtml } from './layout.ts'

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
