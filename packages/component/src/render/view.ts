import { isCutOff } from '../state/state.ts'
import { buildOpened, buildReady } from './channels.ts'
import { control } from './controls.ts'
import { html } from './dom.ts'
import { icon } from './icons.ts'
import { buildOutcome } from './outcome.ts'
import { buildRequest } from './request.ts'
import { buildStatus } from './status.ts'
import type { ViewModel } from './view-model.ts'

/** The nodes to show. Until there is a session, they contain the element's own children. */
export function buildView(model: ViewModel): Node[] {
  const { state, hosted, say } = model
  const { session, notice } = state
  const strip = (text: string) => html('p', { class: 'strip', part: 'strip' }, text)
  return [
    ...(isCutOff(state) && session !== undefined ? [strip(say('offline'))] : []),
    ...(!hosted && session?.test === true ? [strip(say('test'))] : []),
    ...buildStep(model),
    ...(notice === undefined ? [] : [html('p', { class: 'note', part: 'note' }, say(notice))]),
    ...(hosted || session === undefined
      ? []
      : [html('p', { class: 'foot' }, say('checked_by', { service: 'Vidimus' }))]),
  ]
}

function buildStep(model: ViewModel): Node[] {
  const { state, hosted, say, actions } = model
  const { step } = state
  switch (step) {
    case 'loading':
      return [html('slot', {}, html('p', { class: 'soft' }, say('loading')))]
    case 'not_loaded':
      return [
        html('slot'),
        html('p', { class: 'note', part: 'note' }, say('not_loaded')),
        control({ key: 'retry', kind: 'text', text: say('retry'), onClick: actions.retry }),
      ]
    case 'ready':
      return [...(hosted ? [] : buildRequest(model)), ...buildReady(model)]
    case 'opened':
      return buildOpened(model)
    case 'checking':
      return [
        buildStatus(model, {
          mark: html('span', { class: 'disc busy' }),
          title: say('checking_title'),
          text: say('checking'),
        }),
      ]
    case 'unavailable':
      return [
        buildStatus(model, {
          mark: html('span', { class: 'disc' }, icon('minus')),
          title: say('unavailable'),
          text: '',
        }),
      ]
    case 'attempted':
      return buildOutcome(model, state.session?.attempt?.outcome ?? 'try_again')
    case 'completed':
    case 'declined':
    case 'try_again':
    case 'not_accepted':
    case 'expired':
    case 'cancelled':
    case 'used':
      return buildOutcome(model, step)
  }
}
