import type { ComponentState } from '../state/state.ts'
import type { ComponentTexts } from '../texts.ts'
import type { Channel } from '../channels/plan-channels.ts'
import type { LinkPlan } from '../channels/plan-links.ts'

/** Everything that the view depends on. */
export type ViewModel = {
  state: ComponentState
  channels: readonly Channel[]
  links: LinkPlan
  phone: boolean
  in_app: boolean
  /** Whether this is the service's own page, which shows merchant and purpose itself. */
  hosted: boolean
  page_url: string
  /** A text, with the merchant's name, the purpose and other values filled in. */
  say: (key: keyof ComponentTexts, more?: Record<string, string>) => string
  actions: Actions
}

export type Actions = {
  callWallet: () => void
  followLink: (uri: string) => void
  changeChooser: (shown: boolean, country: string) => void
  requestCode: (shown: boolean) => void
  chooseCode: (code: ComponentState['code']) => void
  copyLink: () => void
  retry: () => void
}
