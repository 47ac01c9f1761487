import { type Language, texts } from '@vidimus/holder-texts'
import { escapeHtml } from '../../engine/formats/index.ts'
import { type PageAssets, renderLayout, toHtml } from './layout.ts'

/**
 * For errors such as an overloaded service: the verification may still be open, so the page offers to try again. An empty `retryPath`
 * reloads this page.
 */
export function renderErrorPage(
  language: Language,
  { request_id, retryPath = '' }: { request_id: string; retryPath?: string | undefined },
  assets: PageAssets | undefined,
): string {
  const { component } = texts(language)
  return renderLayout({
    language,
    title: component.not_loaded,
    single: true,
    assets,
    body: `<main class="frame"><section class="state">
<h1>${toHtml(component.not_loaded)}</h1>
<p><a class="button primary" href="${escapeHtml(retryPath)}">${toHtml(component.retry)}</a></p>
${requestId(request_id)}
</section></main>`,
  })
}

/** For every id without a verification. It does not reveal whether there ever was one. */
export function renderNeutralPage(language: Language, assets: PageAssets | undefined): string {
  const { page } = texts(language)
  return renderMessage(language, assets, { title: page.neutral_title, text: page.neutral_text })
}

/** For a person whose camera opened a moving code that has left the screen. */
export function renderOldCodePage(language: Language, assets: PageAssets | undefined): string {
  const { page } = texts(language)
  return renderMessage(language, assets, { title: page.old_code_title, text: page.old_code_text })
}

function renderMessage(
  language: Language,
  assets: PageAssets | undefined,
  { title, text }: { title: string; text: string },
): string {
  return renderLayout({
    language,
    title,
    single: true,
    assets,
    body: `<main class="frame"><section class="state">
<h1>${toHtml(title)}</h1>
<p class="soft">${toHtml(text)}</p>
</section></main>`,
  })
}

/** What support finds the request by. It is a UUID or hexadecimal digits, and needs no word in any language. */
export function requestId(id: string): string {
  return `<p class="soft"><small>ID ${id}</small></p>`
}
