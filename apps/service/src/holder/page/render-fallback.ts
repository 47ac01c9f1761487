import type { HolderSession } from '@vidimus/contract'
import { fillIn, texts, type HolderTexts, type Language } from '@vidimus/holder-texts'
import { escapeHtml } from '../../engine/formats/index.ts'
import { toHtml } from './layout.ts'
import { renderQrCode } from './qr-code.ts'

/** What the component contains until its script has loaded, and what remains without one (PAGE-2): the ways, or the outcome. */
export function renderFallback(session: HolderSession, language: Language): string {
  const { component, page } = texts(language)
  const { phase } = session
  return phase === 'pending' || phase === 'opened'
    ? renderWays(session, component, page)
    : renderOutcome(session, outcomeTexts(component)[phase])
}

function renderWays(
  { phase, merchant, purpose, wallet_uri, screen_uri, age_app_uri }: HolderSession,
  component: HolderTexts['component'],
  page: HolderTexts['page'],
): string {
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
    link(age_app_uri, component.open_age_app, 'button secondary'),
    screen_uri === undefined
      ? ''
      : `<div class="scan"><h2>${toHtml(component.scan_title)}</h2>${renderQrCode(screen_uri, label)}<p>${toHtml(component.scan)}</p><p class="note">${toHtml(component.scan_warning, named)}</p></div>`,
    `<noscript><p class="note">${toHtml(page.without_script)}</p></noscript>`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

type OutcomeTexts = { title: string; text: string; back: string }

function renderOutcome({ merchant, return_url }: HolderSession, { title, text, back }: OutcomeTexts): string {
  const named = { merchant: merchant.name }
  const link =
    return_url === undefined
      ? ''
      : `\n<p><a class="button" href="${escapeHtml(return_url)}" rel="noreferrer">${toHtml(back, named)}</a></p>`
  return `<h2>${toHtml(title)}</h2>\n<p>${toHtml(text, named)}</p>${link}`
}

function outcomeTexts(
  component: HolderTexts['component'],
): Record<Exclude<HolderSession['phase'], 'pending' | 'opened'>, OutcomeTexts> {
  const { back } = component
  return {
    completed: { title: component.completed_title, text: component.completed, back: component.continue },
    declined: { title: component.declined_title, text: component.declined, back },
    try_again: { title: component.try_again_title, text: component.try_again, back },
    not_accepted: { title: component.not_accepted_title, text: component.not_accepted, back },
    expired: { title: component.expired_title, text: component.expired, back },
  }
}
