import { type HolderTexts, fillIn, texts } from '@vidimus/holder-texts'
import { writeBrandStyle } from '@vidimus/tokens'
import { escapeHtml } from '../../engine/formats/index.ts'
import { type PageAssets, renderLayout, renderList, toHtml, vidimus } from '../page/layout.ts'
import { pageHeaders } from '../page/page-headers.ts'
import type { Card } from './describe-card.ts'

type Page = { text: string; headers: Record<string, string> }

/** The card on a page, with the link that saves it. */
export function renderCard(card: Card, assets: PageAssets | undefined): Page {
  const { verification, language, offered } = card
  const { component, page } = texts(language)
  const { colour, name } = verification.merchant
  const colourStyle = colour === undefined ? undefined : writeBrandStyle(colour)
  const advice = renderAdvice(card, ' class="soft"')
  const text = renderLayout({
    language,
    offered,
    title: `${component.receipt} · ${name}`,
    single: true,
    assets,
    head: colourStyle === undefined ? '' : `<style>${colourStyle}</style>\n`,
    strip: verification.test ? `<p class="strip">${toHtml(component.test)}</p>` : '',
    back: '<span></span>',
    body: `<main class="frame"><section class="state">
<h1>${toHtml(component.receipt)}</h1>
${advice}<div class="lines">${renderLines(card, { component, page })}</div>
<a class="button primary" href="?lang=${language}&amp;save=1" download="${fileName(card)}">${toHtml(page.card_save)}</a>
${renderNotice(card)}
</section></main>`,
    foot: toHtml(component.checked_by, { merchant: name }).replace('{service}', vidimus),
  })
  return { text, headers: pageHeaders(language, colourStyle) }
}

/** The same as a file of its own, which needs no network. */
export function renderSavedCard(card: Card): Page {
  const { verification, language } = card
  const { component, page } = texts(language)
  const title = `${component.receipt} · ${verification.merchant.name}`
  const text = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${savedStyle}</style>
</head>
<body><main>
<h1>${toHtml(component.receipt)}</h1>
${verification.test ? `<p>${toHtml(component.test)}</p>\n` : ''}${renderLines(card, { component, page })}
${renderAdvice(card)}${renderNotice(card)}</main></body>
</html>
`
  const headers = pageHeaders(language, savedStyle)
  return {
    text,
    headers: { ...headers, 'content-disposition': `attachment; filename="${fileName(card)}"` },
  }
}

const savedStyle =
  'body{margin:0;padding:1.25rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}' +
  'main{max-width:32rem;margin:auto;padding:1.25rem;border:1px solid;border-radius:12px}' +
  'h1{margin:0 0 1rem;font-size:1.5rem}dl{margin:0}dt{margin-top:.75rem;font-size:.875rem;opacity:.75}' +
  'dd{margin:0;font-weight:500}ul{margin:0;padding-left:1.1rem}small{display:block;font-weight:400}' +
  'a{display:inline-block;min-height:44px;padding:.6rem 0;box-sizing:border-box;color:inherit}'

function fileName({ responded_at }: Card): string {
  return `vidimus-${responded_at.slice(0, 10)}.html`
}

function renderAdvice(
  { verification: { merchant }, language, code, reference }: Card,
  attributes = '',
): string {
  const { page } = texts(language)
  const advice = reference === undefined ? page.card_text : page.erase_proof
  return code === undefined && reference === undefined
    ? ''
    : `<p${attributes}>${toHtml(advice, { merchant: merchant.name })}</p>\n`
}

function renderNotice({ verification: { merchant }, language }: Card): string {
  const { privacy_url, name } = merchant
  if (privacy_url === undefined) return ''
  return `<a class="text" href="${escapeHtml(privacy_url)}" rel="noreferrer">${toHtml(texts(language).component.privacy, { merchant: name })}</a>`
}

/** What, with whom, why, when, for how long, and how to have it deleted. Nothing that a document says. */
function renderLines(
  { verification, language, responded_at, address, code, reference }: Card,
  { component, page }: Pick<HolderTexts, 'component' | 'page'>,
): string {
  const { merchant, purpose, asks, retention, confirmation_code } = verification
  const { name, legal_name, intermediary } = merchant
  const line = (term: string, content: string) => `<div><dt>${toHtml(term)}</dt><dd>${content}</dd></div>`
  const small = (text: string | undefined) =>
    text === undefined ? '' : `<small><bdi>${escapeHtml(text)}</bdi></small>`
  const link = (href: string, text: string) =>
    `<a href="${escapeHtml(href)}" rel="noreferrer">${toHtml(text, { merchant: name })}</a>`
  const shownCode = (term: string, text: string | undefined) =>
    text === undefined ? '' : line(term, `<code translate="no">${escapeHtml(text)}</code>`)
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const through = intermediary && fillIn(component.through, { intermediary })
  return [
    '<dl>',
    line(component.shared, renderList([...new Set(asks.flatMap(({ claims }) => claims))])),
    line(component.shared_with, `<bdi>${escapeHtml(name)}</bdi>${small(legal_name)}${small(through)}`),
    purpose === undefined ? '' : line(component.why, `<bdi>${escapeHtml(purpose)}</bdi>`),
    line(page.card_when, `${escapeHtml(time.format(new Date(responded_at)))} (UTC)`),
    line(component.shared_kept, escapeHtml(retention)),
    line(
      component.delete,
      code === undefined
        ? link(address, component.ask_for_deletion)
        : link(`${address}?code=${code}&lang=${language}`, component.ask_for_deletion),
    ),
    shownCode(page.erase_code, code),
    shownCode(page.erase_reference, reference),
    confirmation_code === undefined ? '' : line(component.confirmation_code, escapeHtml(confirmation_code)),
    '</dl>',
  ].join('')
}
