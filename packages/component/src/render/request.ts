import type { HolderSession } from '../holder-session.ts'
import { html } from './dom.ts'
import { icon } from './icons.ts'
import { control, safeHref } from './controls.ts'
import type { ViewModel } from './view-model.ts'

/** What the merchant asks for and why, in two lines, with the rest folded. The service's own page shows this itself. */
export function buildRequest({ state: { session }, say }: ViewModel): Node[] {
  if (session === undefined) return []
  const { headline, summary, purpose } = session
  return [
    html('h2', { class: 'title' }, headline),
    html('p', { class: 'lede' }, say('lede')),
    html(
      'div',
      { class: 'lines' },
      html(
        'dl',
        {},
        line(say('what'), html('dd', { class: 'clamp' }, summary)),
        purpose !== undefined && line(say('why'), html('dd', { class: 'clamp' }, purpose)),
      ),
      html(
        'details',
        {},
        html('summary', { 'data-key': 'details' }, say('details'), icon('down')),
        html('div', { class: 'more' }, ...buildDetails(session, say)),
      ),
    ),
  ]
}

function buildDetails({ merchant, asks, retention }: HolderSession, say: ViewModel['say']): Node[] {
  const { legal_name: name, intermediary } = merchant
  return [
    ...asks.flatMap(({ claims, documents, optional }) => [
      section(say('claims'), optional && html('p', {}, say('optional')), list(claims)),
      section(say(documents.length > 1 ? 'from_one_of' : 'from_document'), list(documents)),
    ]),
    section(say('kept'), html('p', {}, retention)),
    ...(name === undefined ? [] : [html('p', {}, say('wallet_shows', { name }))]),
    ...(intermediary === undefined ? [] : [html('p', {}, say('through', { intermediary }))]),
    ...(merchant.privacy_url === undefined ? [] : [privacyLink(merchant.privacy_url, say('privacy'))]),
  ]
}

/** What a merchant got, for whom, how long it is kept, and where to ask for its deletion. */
export function buildReceipt({ state: { session }, say, hosted, page_url }: ViewModel): Node {
  const { merchant, summary = '', retention = '', confirmation_code, card, lang, done } = session ?? {}
  // The card has a code that only the service's own page may show.
  const cardUrl = card === true && hosted ? `${page_url}/card?lang=${lang}` : undefined
  if (done !== undefined && cardUrl !== undefined)
    return control({ key: 'card', kind: 'text', text: done.card, href: cardUrl })
  const deletion = cardUrl ?? merchant?.privacy_url
  const { name = '', legal_name } = merchant ?? {}
  return html(
    'div',
    { class: 'lines' },
    html('h2', {}, say('receipt')),
    html(
      'dl',
      {},
      line(say('shared'), html('dd', { class: 'clamp' }, summary)),
      line(
        say('shared_with'),
        html('dd', {}, name, legal_name !== undefined && html('small', {}, legal_name)),
      ),
      line(say('shared_kept'), html('dd', {}, retention)),
      deletion !== undefined &&
        line(say('delete'), html('dd', {}, privacyLink(deletion, say('ask_for_deletion')))),
      confirmation_code !== undefined && line(say('confirmation_code'), html('dd', {}, confirmation_code)),
    ),
  )
}

function line(term: string, ...details: Node[]): HTMLElement {
  return html('div', {}, html('dt', {}, term), ...details)
}

function section(title: string, ...content: (Node | false)[]): HTMLElement {
  return html('section', {}, html('h3', {}, title), ...content)
}

export function list(items: readonly string[]): HTMLElement {
  return html('ul', {}, ...items.map((item) => html('li', {}, item)))
}

function privacyLink(href: string, text: string): HTMLElement {
  return html('a', { href: safeHref(href), target: '_blank', rel: 'noreferrer' }, text)
}
