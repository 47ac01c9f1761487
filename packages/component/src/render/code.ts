import { drawQrPath } from '@vidimus/qr-code'
import { isCutOff } from '../state/state.ts'
import { control } from './controls.ts'
import { html, svg } from './dom.ts'
import { icon } from './icons.ts'
import type { ViewModel } from './view-model.ts'

/** Whether the code is in the view. On a phone it is for another device, so it is in a sheet, unless there is nothing else. */
export function hasInlineCode({ channels, device }: ViewModel): boolean {
  return channels.includes('qr') && (device !== 'phone' || channels[0] === 'qr')
}

/** The QR code for a wallet on another device, with its warning. */
export function buildCode(model: ViewModel): HTMLElement {
  const { state, device, say, actions } = model
  const { age_app_screen_uri, moving_code } = state.session ?? {}
  const elsewhere = device === 'phone'
  return html(
    'section',
    { class: 'scan', part: 'code' },
    !elsewhere && html('h2', { class: 'title' }, say('scan_title')),
    html('p', { class: 'soft' }, say(elsewhere ? 'scan_elsewhere' : 'scan')),
    drawCode(model),
    moving_code === true && !isCutOff(state) && html('p', { class: 'life' }, html('i'), say('code_life')),
    html('p', { class: 'warn', part: 'note' }, icon('warning'), say('scan_warning')),
    age_app_screen_uri !== undefined &&
      control({
        key: 'which_code',
        kind: 'text',
        text: say(state.code === 'wallet' ? 'age_app_code' : 'wallet_code'),
        onClick: () => actions.chooseCode(state.code === 'wallet' ? 'age_app' : 'wallet'),
      }),
  )
}

/** Inline SVG: no image has to be loaded, so a merchant's `img-src` does not matter. Without a connection a moving code may be too old. */
export function drawCode({ state, say }: ViewModel): Element {
  const { screen_uri = '', age_app_screen_uri, purpose } = state.session ?? {}
  if (isCutOff(state)) return html('div', { class: 'qr off' }, icon('warning'))
  const content =
    state.code === 'age_app' && age_app_screen_uri !== undefined
      ? age_app_screen_uri
      : (state.moved_code?.uri ?? screen_uri)
  const { size, path } = drawQrPath(content)
  const label = say(purpose === undefined ? 'qr_label_without_purpose' : 'qr_label')
  return svg(
    'svg',
    { viewBox: `0 0 ${size} ${size}`, part: 'qr', class: 'qr', role: 'img', 'aria-label': label },
    svg('path', { fill: '#fff', d: `M0 0h${size}v${size}h-${size}z` }),
    svg('path', { fill: '#000', d: path, 'shape-rendering': 'crispEdges' }),
  )
}
