import type { HolderOutcome, HolderVerification } from '@vidimus/contract'
import { type HolderTexts, type Language, fillIn, texts } from '@vidimus/holder-texts'
import { drawQrPath } from '@vidimus/qr-code'
import { escapeHtml } from '../../engine/formats/index.ts'
import { isOpen } from './get-verification.ts'
import { type PageAssets, renderLayout, toHtml } from './layout.ts'

type RenderPage = {
  id: string
  verification: HolderVerification
  language: Language
  /** The inline style with the merchant's colours, if it has set one. */
  colourStyle: string | undefined
  assets: PageAssets | undefined
}

/** The page of one verification: who asks, why, for what, how long it is kept; then the component with the channels to a wallet. */
export function renderVerificationPage({
  id,
  verification,
  language,
  colourStyle,
  assets,
}: RenderPage): string {
  const { page } = texts(language)
  const { merchant, phase, test } = verification
  const named = { merchant: merchant.name }
  const titles = outcomeTitles(verification, language)
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
${renderMerchant(verification, page)}
<h1>${toHtml(page.heading, named)}</h1>
${renderFacts(verification, page)}
</section>
<section class="answer">
<vidimus-verify session="${escapeHtml(id)}" lang="${language}" redirect="auto">
${renderFallback(verification, language)}
</vidimus-verify>
</section>
</main>`,
  })
}

const refresh_seconds = 5

/** The title of the page for each outcome. The script shows it when the outcome is known, for a tab in the background. */
function outcomeTitles({ merchant }: HolderVerification, language: Language): Record<HolderOutcome, string> {
  const { component } = texts(language)
  const write = (title: string) => `${title} · ${merchant.name}`
  return {
    completed: write(component.completed_title),
    declined: write(component.declined_title),
    try_again: write(component.try_again_title),
    not_accepted: write(component.not_accepted_title),
    expired: write(component.expired_title),
    cancelled: write(component.expired_title),
  }
}

function renderMerchant({ merchant }: HolderVerification, page: HolderTexts['page']): string {
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
  { merchant, purpose, asks, retention }: HolderVerification,
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
  { documents, claims, optional }: HolderVerification['asks'][number],
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

type OutcomeTexts = { title: string; text: string; back: string }

/** What the component contains until its script has loaded, and what remains without one: the channels, or the outcome. */
function renderFallback(verification: HolderVerification, language: Language): string {
  const { component, page } = texts(language)
  const { phase } = verification
  return phase === 'pending' || phase === 'opened'
    ? renderChannels(verification, component, page)
    : renderOutcome(verification, outcomeTexts(component)[phase])
}

function renderChannels(
  verification: HolderVerification,
  component: HolderTexts['component'],
  page: HolderTexts['page'],
): string {
  const { phase, merchant, purpose, wallet_uri, screen_uri, age_app_uri } = verification
  const named = { merchant: merchant.name }
  const link = (uri: string | undefined, words: string, kind: string) =>
    uri === undefined ? '' : `<p><a class="${kind}" href="${escapeHtml(uri)}">${toHtml(words)}</a></p>`
  const label =
    purpose === undefined
      ? fillIn(component.qr_label_without_purpose, named)
      : fillIn(component.qr_label, { ...named, purpose })
  return [
    phase === 'opened' ? `<h2>${toHtml(component.opened_title)}</h2>` : '',
    link(wallet_uri, component.open_wallet, 'button'),
    renderOtherWallets(verification, component),
    link(age_app_uri, component.open_age_app, 'button secondary'),
    screen_uri === undefined
      ? ''
      : `<div class="scan"><h2>${toHtml(component.scan_title)}</h2>${renderQrCode(screen_uri, label)}<p>${toHtml(component.scan)}</p><p class="note">${toHtml(component.scan_warning, named)}</p></div>`,
    `<noscript><p class="note">${toHtml(page.without_script)}</p></noscript>`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** Links for wallets that do not open the first one. Without script nobody can choose a country, so all are listed. */
function renderOtherWallets(
  { links = [], wallets = [] }: HolderVerification,
  { another_wallet, install_wallet }: HolderTexts['component'],
): string {
  const named = wallets.map(({ name, uri, stores = [] }) => [
    renderLink(uri, name),
    ...stores.map((store) =>
      renderLink(store.uri, fillIn(install_wallet, { wallet: name, store: store.name })),
    ),
  ])
  const others = links.slice(1).map(({ name, uri }) => [renderLink(uri, `${another_wallet} (${name})`)])
  const items = [...named, ...others].map((parts) => `<li>${parts.join('')}</li>`)
  return items.length === 0
    ? ''
    : `<details class="wallets"><summary>${toHtml(another_wallet)}</summary><ul>${items.join('')}</ul></details>`
}

function renderLink(uri: string, words: string): string {
  return `<a href="${escapeHtml(uri)}">${escapeHtml(words)}</a>`
}

function renderOutcome(
  { merchant, return_url }: HolderVerification,
  { title, text, back }: OutcomeTexts,
): string {
  const named = { merchant: merchant.name }
  const link =
    return_url === undefined
      ? ''
      : `\n<p><a class="button" href="${escapeHtml(return_url)}" rel="noreferrer">${toHtml(back, named)}</a></p>`
  return `<h2>${toHtml(title)}</h2>\n<p>${toHtml(text, named)}</p>${link}`
}

function outcomeTexts(
  component: HolderTexts['component'],
): Record<Exclude<HolderVerification['phase'], 'pending' | 'opened'>, OutcomeTexts> {
  const { back } = component
  return {
    completed: { title: component.completed_title, text: component.completed, back: component.continue },
    declined: { title: component.declined_title, text: component.declined, back },
    try_again: { title: component.try_again_title, text: component.try_again, back },
    not_accepted: { title: component.not_accepted_title, text: component.not_accepted, back },
    expired: { title: component.expired_title, text: component.expired, back },
    cancelled: { title: component.expired_title, text: component.expired, back },
  }
}

/** A QR code as SVG: dark on white in both colour schemes. */
function renderQrCode(text: string, label: string): string {
  const { size, path } = drawQrPath(text)
  return [
    `<svg class="qr" role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/>`,
    '</svg>',
  ].join('')
}
