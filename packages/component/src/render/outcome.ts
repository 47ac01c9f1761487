import type { Attempt, Outcome } from '../holder-session.ts'
import { redirectOf } from '../state/announce.ts'
import type { ComponentTexts } from '../texts.ts'
import { buildDock, sheetLink } from './channels.ts'
import { control } from './controls.ts'
import { html } from './dom.ts'
import { icon, type IconName } from './icons.ts'
import { buildReceipt, list } from './request.ts'
import { buildStatus } from './status.ts'
import type { ViewModel } from './view-model.ts'

const marks: Record<Outcome, [icon: IconName, kind: string]> = {
  completed: ['check', 'good'],
  declined: ['minus', ''],
  try_again: ['cross', 'bad'],
  not_accepted: ['cross', 'bad'],
  expired: ['clock', 'wait'],
  cancelled: ['minus', ''],
  used: ['minus', ''],
}

/** The end, or a response that failed while another one would be accepted; then the way on, or back to the merchant. */
export function buildOutcome(model: ViewModel, outcome: Outcome): Node[] {
  const { say, state } = model
  const [name, kind] = marks[outcome]
  return [
    buildStatus(model, {
      mark: html('span', { class: `disc ${kind}` }, icon(name)),
      title: (outcome === 'completed' && state.session?.done?.title) || say(`${outcome}_title`),
      text: describeOutcome(model, outcome),
      card: buildCard(model, outcome),
    }),
    ...(attemptsLeft(model) > 0 ? buildRetry(model, outcome) : buildEnd(model, outcome)),
  ]
}

/** What happened, and whether anything was shared. */
export function describeOutcome({ state, say }: ViewModel, outcome: Outcome): string {
  const { attempt, done, retention = '' } = state.session ?? {}
  const { reason } = attempt ?? {}
  if (outcome === 'completed' && done !== undefined) return retention
  if (outcome === 'not_accepted' && reason !== undefined) return say(`reason_${reason}`)
  return outcome === 'try_again' && state.step === outcome
    ? `${say(outcome)} ${say('start_again')}`
    : say(outcome)
}

const advice: Record<NonNullable<Attempt['reason']>, keyof ComponentTexts> = {
  expired: 'renew_document',
  withdrawn: 'ask_issuer',
  unknown_issuer: 'use_other_document',
}

function buildCard(model: ViewModel, outcome: Outcome): Node | undefined {
  const { state, say } = model
  const { attempt, asks = [] } = state.session ?? {}
  const left = attemptsLeft(model)
  const attempts =
    left === 0 ? '' : say(left === 1 ? 'one_attempt_left' : 'attempts_left', { count: String(left) })
  if (outcome === 'completed') return buildReceipt(model)
  if (outcome === 'declined')
    return tip(
      say('fitting'),
      list([...new Set(asks.flatMap(({ documents }) => documents))]),
      left > 0 && html('p', {}, attempts),
    )
  const { reason } = attempt ?? {}
  if (left > 0)
    return tip(
      say('what_to_do'),
      html('p', {}, `${say(reason === undefined ? 'use_other_document' : advice[reason])} ${attempts}`),
    )
  return outcome === 'not_accepted' && reason !== undefined
    ? tip(say('what_to_do'), html('p', {}, say('not_accepted')))
    : undefined
}

function tip(title: string, ...content: (Node | false)[]): HTMLElement {
  return html('div', { class: 'tip', part: 'note' }, html('h2', {}, title), ...content)
}

function buildRetry(model: ViewModel, outcome: Outcome): Node[] {
  const { say, actions } = model
  const text = say(outcome === 'not_accepted' ? 'try_other_document' : 'retry')
  const alternative = alternativeLink(model)
  return buildDock(
    [control({ key: 'main', kind: 'primary', text, onClick: actions.tryAgain })],
    alternative === undefined
      ? [sheetLink(model, 'other_channels'), sheetLink(model, 'no_wallet')]
      : [alternative],
  )
}

function buildEnd(model: ViewModel, outcome: Outcome): Node[] {
  const { state, say } = model
  const completed = outcome === 'completed'
  const href = (completed ? redirectOf(state) : undefined) ?? state.session?.return_url
  return buildDock(
    [
      href !== undefined &&
        control({ key: 'main', kind: 'primary', text: say(completed ? 'continue' : 'back'), href }),
    ],
    [!completed && (alternativeLink(model) ?? false)],
  )
}

/** The merchant's other way to verify. */
function alternativeLink({ state, say }: ViewModel): HTMLElement | undefined {
  const { alternative_url: href } = state.session ?? {}
  if (href === undefined) return undefined
  return control({ key: 'alternative', kind: 'text', text: say('use_alternative'), href })
}

function attemptsLeft({ state }: ViewModel): number {
  return state.step === 'attempted' ? (state.session?.attempt?.left ?? 0) : 0
}
