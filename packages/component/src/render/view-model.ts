import type { ComponentState } from '../state/state.ts'
import type { ComponentTexts } from '../texts.ts'
import type { Channel } from '../channels/plan-channels.ts'

/** Everything that the view depends on. */
export type ViewModel = {
  state: ComponentState
  channels: readonly Channel[]
  phone: boolean
  in_app: boolean
  /** Whether this is the service's own page, which shows merchant and purpose itself. */
  hosted: boolean
  page_url: string
  /** A text, with the merchant's name and the purpose filled in. */
  say: (key: keyof ComponentTexts) => string
  actions: Actions
}

export type Actions = {
  callWallet: () => void
  followLink: () => void
  requestCode: (shown: boolean) => void
  chooseCode: (code: ComponentState['code']) => void
  copyLink: () => void
  retry: () => void
}
