import type { Wallet } from '../holder-session.ts'
import { linkButton, textButton, textLink } from './controls.ts'
import { html } from './dom.ts'
import type { ViewModel } from './view-model.ts'

/**
 * Other wallets on this device, for those that the main link does not open: by name and country, then by scheme. Shown on request, and
 * when the main link led nowhere, which is all that a browser can notice.
 */
export function buildChooser({ state, links, say, actions }: ViewModel): Node[] {
  const { session, chooser: shown, country = session?.country ?? '' } = state
  const text = say('another_wallet')
  const entries: Wallet[] = [
    ...(session?.wallets ?? []).filter(({ countries }) => countries?.includes(country) ?? true),
    ...links.others.map(({ name, uri }) => ({ name: `${text} (${name})`, uri })),
  ]
  const countries = (session?.countries ?? []).map(({ code, name }) =>
    html('option', { value: code, selected: code === country }, name),
  )
  if (entries.length + countries.length === 0) return []
  const toggle = textButton('chooser', text, () => actions.changeChooser(!shown, country), shown)
  if (!shown) return [toggle]
  const select = html('select', { 'data-key': 'country' }, html('option', { value: '' }, '–'), ...countries)
  select.addEventListener('change', () => actions.changeChooser(true, select.value))
  const controls = entries.flatMap(({ name, uri, stores = [] }, index) => [
    linkButton({ key: `wallet_${index}`, text: name }, uri, actions.followLink),
    ...stores.map((store) =>
      textLink(
        `wallet_${index}${store.name}`,
        say('install_wallet', { wallet: name, store: store.name }),
        store.uri,
      ),
    ),
  ])
  return [
    toggle,
    html(
      'div',
      { class: 'panel view' },
      countries.length > 0 && html('label', {}, say('country'), select),
      ...controls,
    ),
  ]
}
