import type { Notice } from '../state/state.ts'
import type { ComponentTexts } from '../texts.ts'
import { html } from './dom.ts'
import type { ViewModel } from './view-model.ts'

/** What is shown above the channels to a wallet: who asks, and whatever needs attention. */
export function buildBanners(model: ViewModel): Node[] {
  const { state, hosted, say } = model
  const { session } = state
  const key = bannerOf(model)
  return [
    !hosted &&
      session !== undefined &&
      html(
        'p',
        { class: 'who' },
        html('strong', {}, session.merchant.name),
        session.purpose !== undefined && html('span', {}, session.purpose),
      ),
    !hosted && session?.test === true && html('p', { class: 'test' }, say('test')),
    key !== undefined && html('p', { class: 'note', part: 'note' }, say(key)),
  ].filter((node) => node !== false)
}

/** One at a time, the most urgent first: the others would only add noise. */
export function bannerOf({ state }: Pick<ViewModel, 'state'>): keyof ComponentTexts | undefined {
  if (state.offline) return 'offline'
  if (state.disconnected) return 'reconnecting'
  return state.notice satisfies Notice | undefined
}
