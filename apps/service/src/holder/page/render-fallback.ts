import type { HolderVerification } from '@vidimus/contract'
import { type HolderTexts, fillIn } from '@vidimus/holder-texts'
import { boundedMap } from '@vidimus/protocol'
import { drawQrPath } from '@vidimus/qr-code'
import { escapeHtml } from '../../engine/formats/index.ts'
import { isOpen } from './get-verification.ts'
import { type IconName, renderIcon, renderList, toHtml } from './layout.ts'

type Component = HolderTexts['component']
type PageTexts = Pick<HolderTexts, 'component' | 'page'>

/**
 * What the component contains until its script has loaded, and what remains without one: the channels, or the outcome. It has the same
 * shape, so that nothing moves when the component takes over.
 */
export function renderFallback(
  id: string,
  verification: HolderVerification,
  { component, page }: PageTexts,
): string {
  const { phase } = verification
  if (!isOpen(phase)) return renderOutcome(id, verification, phase, component)
  const { attempt } = verification
  const status =
    attempt !== undefined
      ? renderStatus(component[`${attempt.outcome}_title`], describeFailure(verification, component), {
          mark: marks[attempt.outcome],
          named: { merchant: verification.merchant.name },
        })
      : phase === 'opened'
        ? renderStatus(component.opened_title, component.opened, { mark: ['phone', 'brand'] })
        : ''
  return `${status}${renderChannels(verification, component)}
<noscript><p class="note">${toHtml(page.without_script)}</p></noscript>`
}

function renderChannels(verification: HolderVerification, component: Component): string {
  const { phase, merchant, purpose, wallet_uri, screen_uri } = verification
  const named = { merchant: merchant.name }
  const label =
    purpose === undefined
      ? fillIn(component.qr_label_without_purpose, named)
      : fillIn(component.qr_label, { ...named, purpose })
  const [text, kind] =
    phase === 'opened'
      ? [component.open_wallet_again, 'button']
      : [component.continue_with_wallet, 'button primary']
  const code =
    screen_uri === undefined
      ? ''
      : `<section class="scan"><h2 class="title">${toHtml(component.scan_title)}</h2><p class="soft">${toHtml(component.scan)}</p>${renderQrCode(screen_uri, label)}<p class="warn">${toHtml(component.scan_warning, named)}</p></section>`
  return [
    '<div class="dock">',
    wallet_uri === undefined ? '' : renderLink(kind, wallet_uri, text),
    code === '' || wallet_uri === undefined ? '' : `<p class="or">${toHtml(component.or)}</p>`,
    code,
    `<div class="links">${renderOtherWallets(verification, component)}${renderHelp(verification, component)}</div>`,
    '</div>',
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** Links for wallets that do not open the first one. Without script nobody can choose a country, so all are listed. */
function renderOtherWallets(
  { links = [], wallets = [], age_app_uri }: HolderVerification,
  component: Component,
): string {
  const rows = [
    ...wallets.map(({ name, uri }) => renderRow(uri, name)),
    ...links.slice(1).map(({ name, uri }) => renderRow(uri, `${component.another_wallet} (${name})`)),
    ...(age_app_uri === undefined ? [] : [renderRow(age_app_uri, component.age_app)]),
  ]
  return rows.length === 0 ? '' : renderFolded(component.other_channels, renderRows(rows))
}

/** What a wallet is, where to get one, and what to do without. */
function renderHelp(
  { merchant, wallets = [], alternative_url }: HolderVerification,
  component: Component,
): string {
  const stores = wallets.flatMap(({ name, stores: found = [] }) =>
    found.map((store) => renderRow(store.uri, `${name} (${store.name})`, { away: true })),
  )
  return renderFolded(
    component.no_wallet,
    [
      `<p>${toHtml(component.what_is_wallet)}</p>`,
      stores.length === 0 ? '' : renderRows(stores),
      alternative_url === undefined
        ? ''
        : renderLink('button', alternative_url, component.use_alternative, { merchant: merchant.name }),
    ].join(''),
  )
}

function renderFolded(title: string, content: string): string {
  return `<details class="fold"><summary class="text">${toHtml(title)}</summary>${content}</details>`
}

function renderRows(rows: readonly string[]): string {
  return `<div class="rows">${rows.join('')}</div>`
}

function renderRow(uri: string, words: string, { away = false }: { away?: boolean } = {}): string {
  const target = away ? ' target="_blank" rel="noopener noreferrer"' : ''
  return `<a class="row" href="${escapeHtml(uri)}"${target}><span>${escapeHtml(words)}</span></a>`
}

function renderLink(kind: string, uri: string, text: string, values: Record<string, string> = {}): string {
  return `<a class="${kind}" href="${escapeHtml(uri)}" rel="noreferrer">${toHtml(text, values)}</a>`
}

type Outcome = Exclude<HolderVerification['phase'], 'pending' | 'opened'>
type Mark = readonly [icon: IconName, kind: string]

/** As in the component. */
const marks: Record<Outcome, Mark> = {
  completed: ['check', 'good'],
  declined: ['minus', ''],
  try_again: ['cross', 'bad'],
  not_accepted: ['cross', 'bad'],
  expired: ['clock', 'wait'],
  cancelled: ['minus', ''],
  used: ['minus', ''],
}

function renderOutcome(
  id: string,
  verification: HolderVerification,
  outcome: Outcome,
  component: Component,
): string {
  const { merchant, return_url, asks, done, retention } = verification
  const named = { merchant: merchant.name }
  const title = (outcome === 'completed' && done?.title) || component[`${outcome}_title`]
  const text =
    outcome === 'completed' && done !== undefined
      ? retention
      : outcome === 'not_accepted'
        ? describeFailure(verification, component)
        : outcome === 'try_again'
          ? `${component.try_again} ${component.start_again}`
          : component[outcome]
  const documents = renderList([...new Set(asks.flatMap((ask) => ask.documents))])
  const card =
    outcome === 'completed'
      ? renderReceipt(verification, component, id)
      : outcome === 'declined'
        ? `<div class="tip"><h2>${toHtml(component.fitting)}</h2>${documents}</div>`
        : ''
  const back =
    return_url === undefined
      ? ''
      : `\n<div class="dock">${renderLink('button primary', return_url, outcome === 'completed' ? component.continue : component.back, named)}</div>`
  return `${renderStatus(title, text, { mark: marks[outcome], card, named })}${back}`
}

/** Why a response was not accepted, where that says nothing about its claims. */
function describeFailure({ attempt }: HolderVerification, component: Component): string {
  const { outcome = 'not_accepted', reason } = attempt ?? {}
  return outcome === 'not_accepted' && reason !== undefined
    ? component[`reason_${reason}`]
    : component[outcome]
}

function renderStatus(
  title: string,
  text: string,
  { mark, card = '', named = {} }: { mark: Mark; card?: string; named?: Record<string, string> },
): string {
  const [icon, kind] = mark
  return `<section class="state"><span class="disc ${kind}">${renderIcon(icon)}</span><h1>${toHtml(title)}</h1><p class="soft">${toHtml(text, named)}</p>${card}</section>`
}

function renderReceipt(
  { merchant, summary, retention, confirmation_code, card, lang, done }: HolderVerification,
  component: Component,
  id: string,
): string {
  const line = (term: string, content: string) => `<div><dt>${toHtml(term)}</dt><dd>${content}</dd></div>`
  const { privacy_url, legal_name } = merchant
  const cardUrl = card === true ? `/verify/${id}/card?lang=${lang}` : undefined
  if (done !== undefined && cardUrl !== undefined) return renderLink('text', cardUrl, done.card)
  const deletion = cardUrl ?? privacy_url
  const legalName = legal_name === undefined ? '' : `<small><bdi>${escapeHtml(legal_name)}</bdi></small>`
  return [
    `<div class="lines"><h2>${toHtml(component.receipt)}</h2><dl>`,
    line(component.shared, escapeHtml(summary)),
    line(component.shared_with, `<bdi>${escapeHtml(merchant.name)}</bdi>${legalName}`),
    line(component.shared_kept, escapeHtml(retention)),
    deletion === undefined
      ? ''
      : line(
          component.delete,
          `<a href="${escapeHtml(deletion)}" rel="noreferrer">${toHtml(component.ask_for_deletion)}</a>`,
        ),
    confirmation_code === undefined ? '' : line(component.confirmation_code, escapeHtml(confirmation_code)),
    '</dl></div>',
  ].join('')
}

/** Drawing costs more than the rest of a page, which a browser without script loads again every few seconds. */
const drawnCodes = boundedMap<string, ReturnType<typeof drawQrPath>>(200)

/** A QR code as SVG: dark on white in both colour schemes. */
function renderQrCode(text: string, label: string): string {
  const drawn = drawnCodes.get(text) ?? drawQrPath(text)
  drawnCodes.set(text, drawn)
  const { size, path } = drawn
  return [
    `<svg class="qr" role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/>`,
    '</svg>',
  ].join('')
}
