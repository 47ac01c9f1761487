import { type HolderTexts, type Language, chooseLanguage, listLanguages, texts } from '@vidimus/holder-texts'
import { writeBrandStyle } from '@vidimus/tokens'
import { escapeHtml } from '../../engine/formats/index.ts'
import { type PageAssets, renderLayout, toHtml, vidimus } from '../page/layout.ts'
import { pageHeaders } from '../page/page-headers.ts'
import type { ErasingTenant } from './ask-for-erasure.ts'

export type ErasurePage = {
  tenant: ErasingTenant
  lang: string | undefined
  acceptLanguage: string | undefined
  assets: PageAssets | undefined
}

type Page = { text: string; headers: Record<string, string> }

type Form = {
  /** That of the link on the card. */
  code: string
  /** Whether those without one can prove who they are. */
  withProof: boolean
}

/** One field and one button, and the same for those without a code. It works without script. */
export function renderForm(visit: ErasurePage, { code, withProof }: Form): Page {
  const { path } = visit.tenant
  const kept = new URLSearchParams(code === '' ? {} : { code })
  return renderPage(visit, { query: kept, withForm: true }, ({ component, page, language, named }) => ({
    title: page.erase_title,
    body: `<p class="soft">${toHtml(page.erase_intro, named)}</p>
<form method="post" action="${path}?lang=${language}" class="keep">
<label for="code">${toHtml(page.erase_code)}</label>
<input id="code" name="code" value="${escapeHtml(code)}" required maxlength="200" autocomplete="off" autocapitalize="off" spellcheck="false">
<button class="button primary">${toHtml(component.ask_for_deletion)}</button>
</form>
${
  withProof
    ? `<p class="soft">${toHtml(page.erase_again)} ${toHtml(page.erase_compared, named)}</p>
<form method="post" action="${path}?lang=${language}" class="keep">
<label for="day">${toHtml(page.erase_day)}</label>
<input id="day" name="day" type="date" required>
<button class="button">${toHtml(component.continue_with_wallet)}</button>
</form>`
    : `<p class="soft">${toHtml(page.erase_without, named)}</p>`
}
${renderContact(visit, component)}`,
  }))
}

/** What the merchant reads and the holder's wallet may show, in the language of the page. */
export function purposeOf(visit: ErasurePage): string {
  return texts(languageOf(visit).language).page.erase_title
}

/** The same for every code. Only the reference differs, which is a hash of what was entered. */
export function renderReply(visit: ErasurePage, { reference }: { reference: string }): Page {
  const { text, headers } = renderPage(visit, {}, ({ component, page, named }) => ({
    title: page.erase_done_title,
    body: `<p class="soft">${toHtml(page.erase_done, named)}</p>
<div class="lines"><dl><div><dt>${toHtml(page.erase_reference)}</dt><dd><code translate="no">${escapeHtml(reference)}</code></dd></div></dl></div>
<p class="soft">${toHtml(page.erase_proof, named)}</p>
${renderContact(visit, component)}`,
  }))
  // Compressed, its length would depend on the reference.
  return { text, headers: { ...headers, 'cache-control': 'no-store, no-transform' } }
}

/** Too many requests of an address or for a merchant. */
export function renderBusy(visit: ErasurePage): Page {
  return renderPage(visit, {}, ({ component, page, named }) => ({
    title: page.link_busy_title,
    body: `<p class="soft">${toHtml(page.link_busy, named)}</p>
${renderContact(visit, component)}`,
  }))
}

type Shown = Pick<HolderTexts, 'component' | 'page'> & { language: Language; named: { merchant: string } }

function renderPage(
  visit: ErasurePage,
  { query, withForm = false }: { query?: URLSearchParams; withForm?: boolean },
  write: (shown: Shown) => { title: string; body: string },
): Page {
  const { profile } = visit.tenant
  const { language, offered } = languageOf(visit)
  const { component, page } = texts(language)
  const named = { merchant: nameOf(profile) }
  const { title, body } = write({ component, page, language, named })
  const { colour } = profile.brand
  const colourStyle = colour === undefined ? undefined : writeBrandStyle(colour)
  const text = renderLayout({
    language,
    offered,
    title: `${title} · ${named.merchant}`,
    single: true,
    assets: visit.assets,
    query,
    head: colourStyle === undefined ? '' : `<style>${colourStyle}</style>\n`,
    back: '<span></span>',
    body: `<main class="frame"><section class="state">
<h1>${toHtml(title)}</h1>
${body}
</section></main>`,
    foot: toHtml(component.checked_by, named).replace('{service}', vidimus),
  })
  return { text, headers: pageHeaders(language, colourStyle, { withForm }) }
}

function languageOf({ tenant: { profile }, lang, acceptLanguage }: ErasurePage) {
  const offered = listLanguages({ edited_only: profile.edited_languages_only })
  return { language: chooseLanguage(lang, acceptLanguage, offered), offered }
}

function nameOf({ name, brand }: ErasingTenant['profile']): string {
  return brand.display_name ?? name
}

/** The merchant's own way, which is always shown. Nothing is collected here. */
function renderContact({ tenant: { profile } }: ErasurePage, component: HolderTexts['component']): string {
  const { privacy_url } = profile.brand
  if (privacy_url === undefined) return ''
  return `<a class="text" href="${escapeHtml(privacy_url)}" rel="noreferrer">${toHtml(component.privacy, { merchant: nameOf(profile) })}</a>`
}
