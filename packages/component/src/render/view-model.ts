import type { ComponentState, Sheet } from '../state/state.ts'
import type { ComponentTexts } from '../texts.ts'
import type { Device } from '../channels/device.ts'
import type { Channel } from '../channels/plan-channels.ts'
import type { LinkPlan } from '../channels/plan-links.ts'

/** Everything that the view depends on. */
export type ViewModel = {
  state: ComponentState
  channels: readonly Channel[]
  links: LinkPlan
  device: Device
  /** Whether this is the service's own page, which shows the request itself. */
  hosted: boolean
  page_url: string
  /** A text, with the merchant's name, the purpose and other values filled in. */
  say: (key: keyof ComponentTexts, more?: Record<string, string>) => string
  actions: Actions
}

export type Actions = {
  callWallet: () => void
  followLink: (uri: string) => void
  openSheet: (sheet: Sheet) => void
  closeSheet: () => void
  chooseCountry: (country: string) => void
  chooseCode: (code: ComponentState['code']) => void
  copyLink: () => void
  tryAgain: () => void
  /** Cancels, and goes back to the merchant. */
  leave: () => void
  retry: () => void
}
