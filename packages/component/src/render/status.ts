import { html } from './dom.ts'
import type { ViewModel } from './view-model.ts'

type Status = {
  /** A picture of the same. */
  mark: Node
  title: string
  text: string
  /** What belongs to it, in a box. */
  card?: Node | undefined
}

/** A screen with one message. Its title can have the focus, so that a screen reader reads it. */
export function buildStatus({ hosted, state }: ViewModel, { mark, title, text, card }: Status): HTMLElement {
  return html(
    'section',
    { class: `state ${state.step}`, part: 'status' },
    mark,
    // The title of the page, or of a part of the merchant's page.
    html(hosted ? 'h1' : 'h2', { class: 'title', tabindex: '-1', 'data-key': 'title' }, title),
    html('p', { class: 'soft' }, text),
    card,
  )
}
