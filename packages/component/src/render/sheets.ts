import type { Wallet } from '../holder-session.ts'
import type { Sheet } from '../state/state.ts'
import { mainButton } from './channels.ts'
import { buildCode, hasInlineCode } from './code.ts'
import { control } from './controls.ts'
import { html } from './dom.ts'
import { icon } from './icons.ts'
import type { ViewModel } from './view-model.ts'

/** What a sheet contains: its title, which gets the focus, and its body. */
export function buildSheet(model: ViewModel, sheet: Sheet): Node[] {
  const { say, actions } = model
  const { title, body } = sheets[sheet](model)
  const close = html(
    'button',
    { type: 'button', class: 'close', 'aria-label': say('close'), 'data-key': 'close' },
    icon('cross'),
  )
  close.addEventListener('click', actions.closeSheet)
  return [
    html('header', {}, html('h2', { id: 'sheet', tabindex: '-1' }, title), close),
    html('div', { class: 'body' }, ...body.filter((node) => node !== false)),
  ]
}

type SheetContent = { title: string; body: (Node | false)[] }

const sheets: Record<Sheet, (model: ViewModel) => SheetContent> = {
  other_channels(model) {
    const { state, channels, say, actions } = model
    const { age_app_uri: href } = state.session ?? {}
    const withCode = channels.includes('qr') && (state.step === 'opened' || !hasInlineCode(model))
    const apps = listApps(model).length > 0 && channels.includes('link')
    return {
      title: say('other_channels'),
      body: [
        withCode && buildCode(model),
        withCode && html('h3', {}, say('on_this_device')),
        rows(
          apps &&
            control({
              key: 'apps',
              kind: 'row',
              icon: 'wallet',
              text: say('choose_app'),
              hint: channels[0] !== 'qr' && say('choose_app_hint'),
              onClick: () => actions.openSheet('apps'),
            }),
          href !== undefined &&
            control({
              key: 'age_app',
              kind: 'row',
              icon: 'card',
              text: say('age_app'),
              href,
              onClick: () => actions.followLink(href),
            }),
          copyRow(model),
        ),
        state.copied === false && copyByHand(model),
      ],
    }
  },

  apps(model) {
    const { say, actions } = model
    return {
      title: say('choose_app'),
      body: [
        countries(model),
        rows(
          ...listApps(model).map(({ name, uri }, index) =>
            control({
              key: `app_${index}`,
              kind: 'row',
              icon: 'wallet',
              text: name,
              href: uri,
              onClick: () => actions.followLink(uri),
            }),
          ),
        ),
      ],
    }
  },

  no_wallet(model) {
    const { state, say, actions } = model
    const { alternative_url: href } = state.session ?? {}
    // Without a known store the name is what to search for.
    const wallets = listWallets(model).flatMap(({ name, stores = [] }) =>
      stores.length === 0
        ? [html('p', { class: 'row' }, icon('wallet'), html('span', {}, name))]
        : stores.map((store) =>
            control({
              key: name + store.name,
              kind: 'row',
              icon: 'wallet',
              text: name,
              hint: store.name,
              href: store.uri,
              away: true,
            }),
          ),
    )
    return {
      title: say('no_wallet_title'),
      body: [
        html('p', {}, say('what_is_wallet')),
        countries(model),
        wallets.length > 0 ? rows(...wallets) : html('p', {}, say('none_listed')),
        html('h3', {}, say('without_wallet')),
        href !== undefined && control({ key: 'alternative', text: say('use_alternative'), href }),
        control({ key: 'leave', kind: 'text', text: say('back'), onClick: actions.leave }),
      ],
    }
  },

  nothing(model) {
    const { state, channels, say, actions } = model
    return {
      title: say('nothing_title'),
      body: [
        html('p', {}, say('nothing_happened')),
        rows(
          mainButton(model, say('retry'), 'row') ?? false,
          channels.includes('qr') &&
            !hasInlineCode(model) &&
            control({
              key: 'other_channels',
              kind: 'row',
              icon: 'phone',
              text: say('other_device'),
              onClick: () => actions.openSheet('other_channels'),
            }),
          listApps(model).length > 0 &&
            control({
              key: 'apps',
              kind: 'row',
              icon: 'wallet',
              text: say('choose_app'),
              onClick: () => actions.openSheet('apps'),
            }),
          copyRow(model),
          control({
            key: 'no_wallet',
            kind: 'row',
            icon: 'wallet',
            text: say('no_wallet'),
            onClick: () => actions.openSheet('no_wallet'),
          }),
        ),
        state.copied === false && copyByHand(model),
      ],
    }
  },
}

function rows(...items: (Node | false)[]): HTMLElement {
  return html('div', { class: 'rows' }, ...items)
}

/** Wallets on this device, for those that the main button does not open: by name, then by scheme. */
function listApps(model: ViewModel): Wallet[] {
  const { channels, links, say } = model
  return [
    ...(links.main !== undefined && channels[0] !== 'link'
      ? [{ name: say('open_wallet'), uri: links.main }]
      : []),
    ...listWallets(model),
    ...links.others.map(({ name, uri }) => ({ name: `${say('another_wallet')} (${name})`, uri })),
  ]
}

function listWallets(model: ViewModel): Wallet[] {
  const country = countryOf(model)
  return (model.state.session?.wallets ?? []).filter((wallet) => wallet.countries?.includes(country) ?? true)
}

function countryOf({ state }: ViewModel): string {
  return state.country ?? state.session?.country ?? ''
}

function countries(model: ViewModel): HTMLElement | false {
  const { state, say, actions } = model
  const country = countryOf(model)
  const options = (state.session?.countries ?? []).map(({ code, name }) =>
    html('option', { value: code, selected: code === country }, name),
  )
  if (options.length === 0) return false
  const select = html('select', { 'data-key': 'country' }, html('option', { value: '' }, '–'), ...options)
  select.addEventListener('change', () => actions.chooseCountry(select.value))
  return html('label', { class: 'country' }, say('country'), select)
}

function copyRow({ state, say, actions }: ViewModel): HTMLElement {
  return control({
    key: 'copy',
    kind: 'row',
    icon: 'link',
    text: say(state.copied === true ? 'copied' : 'copy_link'),
    hint: say('copy_link_hint'),
    onClick: actions.copyLink,
  })
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
