import { buildChooser } from './chooser.ts'
import { button, linkButton, textButton, textLink } from './controls.ts'
import { html } from './dom.ts'
import { icon } from './icons.ts'
import { drawQrCode } from './qr-code.ts'
import type { ViewModel } from './view-model.ts'

/** The channels into a wallet, in their order. */
export function buildReady(model: ViewModel): Node[] {
  const { state, channels, say } = model
  const first = channels[0]
  const nodes = channels.flatMap((channel): Node[] => {
    if (channel === 'dc') return [dcButton(model, first === 'dc')]
    if (channel === 'link')
      return isTextLink(model) ? [] : [...linkButtons(model, first === 'link'), ...buildChooser(model)]
    return codeSection(model)
  })
  // After the last button, and before the code if that comes later.
  const end = nodes.findLastIndex((node) => node instanceof HTMLElement && node.matches('.button'))
  if (end >= 0) nodes.splice(end + 1, 0, html('p', { class: 'soft' }, say('you_decide')))
  return [...(state.nothing_happened ? [nothingHappened(model)] : []), ...nodes, ...alternatives(model)]
}

/**
 * The wallet has fetched the request: the code is gone, so that nobody else scans it. The other channels remain, since the holder may have
 * closed that wallet again.
 */
export function buildOpened(model: ViewModel): Node[] {
  const { state, channels, links, phone, say, actions } = model
  // The wallet that was opened, if this page has opened it.
  const uri = state.followed_uri ?? links.main
  return [
    html(
      'div',
      { class: 'status', part: 'status' },
      icon('phone'),
      html('h2', { class: 'title' }, say('opened_title')),
      html('p', { class: 'soft' }, say('opened')),
    ),
    ...((phone || !channels.includes('qr')) && channels.includes('link') && uri !== undefined
      ? [linkButton({ key: 'link', text: say('open_wallet_again') }, uri, actions.followLink)]
      : []),
    ...(channels.includes('dc') ? [dcButton(model, false)] : []),
    ...(!channels.includes('qr')
      ? []
      : state.code_requested
        ? codeBlock(model)
        : [textButton('code', say('show_code_again'), () => actions.requestCode(true))]),
  ]
}

/** Elsewhere than on a phone, a wallet on this device is the exception. */
function isTextLink({ channels, phone }: ViewModel): boolean {
  return !phone && channels[0] !== 'link' && channels.includes('qr')
}

function dcButton({ state: { dc }, say, actions }: ViewModel, primary: boolean): HTMLElement {
  const text = say(primary ? 'continue_with_wallet' : 'find_wallet')
  const control = { key: 'dc', text, primary, disabled: dc === 'fetching', busy: dc === 'called' }
  return button(control, actions.callWallet)
}

function linkButtons(
  { state: { session }, links: { main }, say, actions }: ViewModel,
  primary: boolean,
): HTMLElement[] {
  const { age_app_uri } = session ?? {}
  const text = say('open_wallet')
  return [
    ...(main === undefined ? [] : [linkButton({ key: 'link', text, primary }, main, actions.followLink)]),
    ...(age_app_uri === undefined
      ? []
      : [linkButton({ key: 'age_app', text: say('open_age_app') }, age_app_uri, actions.followLink)]),
  ]
}

/** On a phone the code is for another device, so it appears on request, or when the phone's own wallet did not work. */
function codeSection(model: ViewModel): Node[] {
  const { state, channels, phone, say, actions } = model
  if (!phone || channels[0] === 'qr') return codeBlock(model)
  const shown = state.code_requested
  const toggle = textButton('code', say('other_device'), () => actions.requestCode(!shown), shown)
  return shown ? [toggle, ...codeBlock(model)] : [toggle]
}

function codeBlock({ state, phone, say, actions }: ViewModel): Node[] {
  const { screen_uri, age_app_screen_uri, purpose } = state.session ?? {}
  const ageApp = state.code === 'age_app' ? age_app_screen_uri : undefined
  const content = ageApp ?? screen_uri
  if (content === undefined) return []
  return [
    html(
      'section',
      { class: 'code' },
      html('h2', { class: 'title' }, say('scan_title')),
      html('p', { class: 'soft' }, say('scan')),
      drawQrCode(content, say(purpose === undefined ? 'qr_label_without_purpose' : 'qr_label')),
      html('p', { class: 'note', part: 'note' }, say('scan_warning')),
      age_app_screen_uri !== undefined &&
        textButton('which_code', say(ageApp === undefined ? 'age_app_code' : 'wallet_code'), () =>
          actions.chooseCode(ageApp === undefined ? 'age_app' : 'wallet'),
        ),
      phone && copyLink({ state, say, actions }),
    ),
  ]
}

function alternatives(model: ViewModel): Node[] {
  const { state, channels, links, phone, say, actions } = model
  const uri = links.main
  if (phone || !channels.includes('qr')) return []
  const hasTextLink = isTextLink(model) && channels.includes('link') && uri !== undefined
  return [
    html(
      'div',
      { class: 'alternatives' },
      hasTextLink && textLink('link', say('wallet_here'), uri, actions.followLink),
      !state.nothing_happened && copyLink(model),
    ),
    ...(hasTextLink && state.nothing_happened ? buildChooser(model) : []),
    ...(state.copied === false && !state.nothing_happened ? [copyByHand(model)] : []),
  ]
}

function nothingHappened(model: ViewModel): HTMLElement {
  const { state, in_app, say } = model
  return html(
    'div',
    { class: 'panel', part: 'note' },
    html('h2', { class: 'title' }, say(in_app ? 'browser_title' : 'nothing_title')),
    html('p', {}, say(in_app ? 'open_in_browser' : 'nothing_happened')),
    copyLink(model),
    state.copied === false && copyByHand(model),
  )
}

function copyLink({ state, say, actions }: Pick<ViewModel, 'state' | 'say' | 'actions'>): HTMLElement {
  return textButton('copy', say(state.copied === true ? 'copied' : 'copy_link'), actions.copyLink)
}

/** Where the browser refuses to write to the clipboard. */
function copyByHand({ page_url, say }: ViewModel): HTMLElement {
  return html(
    'label',
    { class: 'by-hand' },
    say('copy_failed'),
    html('input', { readonly: true, value: page_url, dir: 'ltr' }),
  )
}
