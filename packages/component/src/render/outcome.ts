import type { Outcome } from '../holder-session.ts'
import { redirectOf } from '../state/announce.ts'
import { linkButton } from './controls.ts'
import { html } from './dom.ts'
import { icon, type IconName } from './icons.ts'
import type { ViewModel } from './view-model.ts'

const icons: Record<Outcome, IconName> = {
  completed: 'tick',
  declined: 'pause',
  try_again: 'cross',
  not_accepted: 'cross',
  expired: 'clock',
}

/** The end, with the way back to the merchant. The title can have the focus, so that a screen reader reads it. */
export function buildOutcome({ state, say }: ViewModel, outcome: Outcome): Node[] {
  const completed = outcome === 'completed'
  const back = (completed ? redirectOf(state) : undefined) ?? state.session?.return_url
  return [
    html(
      'div',
      { class: `status ${outcome}`, part: 'status' },
      icon(icons[outcome]),
      html('h2', { class: 'title', tabindex: '-1' }, say(`${outcome}_title`)),
      html('p', { class: 'soft' }, say(outcome)),
    ),
    ...(back === undefined
      ? []
      : [linkButton({ key: 'back', text: say(completed ? 'continue' : 'back'), primary: completed }, back)]),
  ]
}
