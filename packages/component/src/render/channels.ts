import { isCutOff } from '../state/state.ts'
import { buildCode, hasInlineCode } from './code.ts'
import { control } from './controls.ts'
import { html } from './dom.ts'
import { icon } from './icons.ts'
import { buildStatus } from './status.ts'
import type { ViewModel } from './view-model.ts'

/** The action of a screen, with what else can be done in smaller letters. On a phone it stays at the bottom of the screen. */
export function buildDock(main: (Node | false)[], links: (Node | false)[] = []): HTMLElement[] {
  const shown = links.filter((link) => link !== false)
  const content = [
    ...main,
    shown.length > 0 && html('div', { class: 'links', part: 'links' }, ...shown),
  ].filter((node) => node !== false)
  return content.length === 0 ? [] : [html('div', { class: 'dock', part: 'dock' }, ...content)]
}

/** One main button, the code where it is not in a sheet, and the other channels behind a link. */
export function buildReady(model: ViewModel): Node[] {
  const { say } = model
  const main = mainButton(model, say('continue_with_wallet'), 'primary')
  const inline = hasInlineCode(model)
  const dock = buildDock(
    [
      main ?? false,
      main !== undefined && inline && html('p', { class: 'or' }, say('or')),
      inline && buildCode(model),
    ],
    [sheetLink(model, 'other_channels'), sheetLink(model, 'no_wallet')],
  )
  if (inline) for (const part of dock) part.part.add('tall')
  return dock
}

/** The wallet has fetched the request: the code is gone, so that nobody else scans it. The holder may have closed that wallet again. */
export function buildOpened(model: ViewModel): Node[] {
  const { channels, say, actions } = model
  return [
    buildStatus(model, {
      mark: html('span', { class: 'disc brand' }, icon('phone')),
      title: say('opened_title'),
      text: say('opened'),
    }),
    ...buildDock(
      [mainButton(model, say('open_wallet_again'), 'plain') ?? false],
      [
        control({
          key: 'other_channels',
          kind: 'text',
          text: say(channels.includes('qr') ? 'show_code_again' : 'other_channels'),
          onClick: () => actions.openSheet('other_channels'),
        }),
        sheetLink(model, 'no_wallet'),
      ],
    ),
  ]
}

export function sheetLink({ say, actions }: ViewModel, sheet: 'other_channels' | 'no_wallet'): HTMLElement {
  return control({ key: sheet, kind: 'text', text: say(sheet), onClick: () => actions.openSheet(sheet) })
}

/** The browser's own choice of wallets, or the link. None on a computer that only shows a code. */
export function mainButton(
  { state, channels, links, actions }: ViewModel,
  text: string,
  kind: 'primary' | 'plain' | 'row',
): HTMLElement | undefined {
  const busy = isCutOff(state)
  const look = { text, kind, ...(kind === 'row' && { icon: 'again' as const }) }
  // A wallet that was opened before is the one to open again.
  const followed = kind === 'primary' ? undefined : state.followed_uri
  if (followed === undefined && channels[0] === 'dc')
    return control({
      ...look,
      key: 'main',
      disabled: state.dc === 'fetching',
      busy: busy || state.dc === 'called',
      onClick: actions.callWallet,
    })
  const uri = followed ?? (channels[0] === 'link' ? links.main : undefined)
  if (uri === undefined) return undefined
  return control({ ...look, key: 'main', busy, href: uri, onClick: () => actions.followLink(uri) })
}
