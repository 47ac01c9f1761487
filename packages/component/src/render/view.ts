import { buildBanners } from './banners.ts'
import { textButton } from './controls.ts'
import { html } from './dom.ts'
import { icon } from './icons.ts'
import { buildOutcome } from './outcome.ts'
import { buildOpened, buildReady } from './ready.ts'
import type { ViewModel } from './view-model.ts'

/** The nodes to show. Until there is a session, they contain the element's own children. */
export function buildView(model: ViewModel): Node[] {
  const { state, say, actions } = model
  switch (state.step) {
    case 'loading':
      return [html('slot', {}, html('p', { class: 'soft' }, say('loading')))]
    case 'not_loaded':
      return [
        html('slot'),
        html('p', { class: 'note', part: 'note' }, say('not_loaded')),
        textButton('retry', say('retry'), actions.retry),
      ]
    case 'ready':
      return [...buildBanners(model), ...buildReady(model)]
    case 'opened':
      return [...buildBanners(model), ...buildOpened(model)]
    case 'checking':
      return [
        ...buildBanners(model),
        html(
          'div',
          { class: 'status', part: 'status' },
          html('span', { class: 'spinner', 'aria-hidden': 'true' }),
          html('p', { class: 'title' }, say('checking')),
        ),
      ]
    case 'unavailable':
      return [
        html(
          'div',
          { class: 'status', part: 'status' },
          icon('pause'),
          html('p', { class: 'title', tabindex: '-1' }, say('unavailable')),
        ),
      ]
    case 'completed':
    case 'declined':
    case 'try_again':
    case 'not_accepted':
    case 'expired':
      return buildOutcome(model, state.step)
  }
}
