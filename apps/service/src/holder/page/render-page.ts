import type { HolderOutcome, HolderSession } from '@vidimus/contract'
import { fillIn, texts, type HolderTexts, type Language } from '@vidimus/holder-texts'
import { escapeHtml } from '../../engine/formats/index.ts'
import type { PageAssets } from './assets.ts'
import { renderLayout, toHtml } from './layout.ts'
import { isOpen } from './phase.ts'
import { renderFallback } from './render-fallback.ts'

export type RenderPage = {
  id: string
  session: HolderSession
  language: Language
  /** The inline style with the merchant's colours, if it has set one. */
  colourStyle: string | undefined
  assets: PageAssets | undefined
}

/** The page of one session: who asks, why, for what, how long it is kept; then the component with the ways into a wallet. */
export function renderSessionPage({ id, session, language, colourStyle, assets }: RenderPage): string {
  const { page } = texts(language)
  const { merchant, phase, test } = session
  const named = { merchant: merchant.name }
  const titles = outcomeTitles(session, language)
  const titleAttributes = Object.entries(titles).map(
    ([outcome, title]) => ` data-${outcome}="${escapeHtml(title)}"`,
  )
  return renderLayout({
    language,
    title: isOpen(phase) ? fillIn(page.title, named) : titles[phase],
    assets,
    head: [
      colourStyle === undefined ? '' : `<style>${colourStyle}</style>\n`,
      assets === undefined ? '' : `<script type="module" src="/verify/assets/${assets.script}"></script>\n`,
      isOpen(phase) ? `<noscript><meta http-equiv="refresh" content="${refresh_seconds}"></noscript>\n` : '',
    ].join(''),
    body: `${test ? `<header class="test"><p>${toHtml(page.test)}</p></header>\n` : ''}<main${isOpen(phase) ? '' : ' class="ended"'}${titleAttributes.join('')}>
<section class="request">
${renderMerchant(session, page)}
<h1>${toHtml(page.heading, named)}</h1>
${renderFacts(session, page)}
</section>
<section class="answer">
<vidimus-verify session="${escapeHtml(id)}" lang="${language}" redirect="auto">
${renderFallback(session, language)}
</vidimus-verify>
</section>
</main>`,
  })
}

const refresh_seconds = 5

/** The title of the page for each outcome. The script shows it when the outcome is known, for a tab in the background. */
function outcomeTitles({ merchant }: HolderSession, language: Language): Record<HolderOutcome, string> {
  const { component } = texts(language)
  const write = (title: string) => `${title} · ${merchant.name}`
  return {
    completed: write(component.completed_title),
    declined: write(component.declined_title),
    try_again: write(component.try_again_title),
    not_accepted: write(component.not_accepted_title),
    expired: write(component.expired_title),
  }
}

function renderMerchant({ merchant }: HolderSession, page: HolderTexts['page']): string {
  // Decorative: the name is beside it.
  const logo = merchant.logo === undefined ? '' : `<img src="${escapeHtml(merchant.logo)}" alt="">`
  const legalName =
    merchant.legal_name === undefined || merchant.legal_name === merchant.name
      ? ''
      : `<p class="legal-name">${toHtml(page.legal_name)}: <bdi>${escapeHtml(merchant.legal_name)}</bdi></p>`
  const through =
    merchant.intermediary === undefined
      ? ''
      : `<p class="through">${toHtml(page.through, { intermediary: merchant.intermediary })}</p>`
  return `<header class="merchant">${logo}<div><p class="name" translate="no"><bdi>${escapeHtml(merchant.name)}</bdi></p>${through}${legalName}</div></header>`
}

function renderFacts(
  { merchant, purpose, asks, retention }: HolderSession,
  page: HolderTexts['page'],
): string {
  const privacy =
    merchant.privacy_url === undefined
      ? ''
      : `<p class="privacy"><a href="${escapeHtml(merchant.privacy_url)}" rel="noreferrer">${toHtml(page.privacy, { merchant: merchant.name })}</a></p>`
  return [
    '<dl>',
    purpose === undefined
      ? ''
      : `<div><dt>${toHtml(page.purpose)}</dt><dd><bdi>${escapeHtml(purpose)}</bdi></dd></div>`,
    `<div><dt>${toHtml(page.requested)}</dt><dd>${asks.map((ask) => renderAsk(ask, page)).join('')}</dd></div>`,
    `<div><dt>${toHtml(page.retention)}</dt><dd>${escapeHtml(retention)}</dd></div>`,
    '</dl>',
    privacy,
  ].join('\n')
}

function renderAsk(
  { documents, claims, optional }: HolderSession['asks'][number],
  page: HolderTexts['page'],
): string {
  const from = documents.length > 1 ? page.from_one_of : page.from_document
  return [
    '<div class="ask">',
    optional ? `<p class="optional">${toHtml(page.optional)}</p>` : '',
    `<ul>${claims.map((claim) => `<li>${escapeHtml(claim)}</li>`).join('')}</ul>`,
    documents.length === 0
      ? ''
      : `<p class="documents">${toHtml(from)}: ${documents.map(escapeHtml).join(` <span>${toHtml(page.or)}</span> `)}</p>`,
    '</div>',
  ].join('')
}
