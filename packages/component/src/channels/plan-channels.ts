import type { HolderSession } from '../holder-session.ts'
import type { ComponentState } from '../state/state.ts'
import type { Device } from './device.ts'

/** `dc`: the Digital Credentials API. `link`: a wallet on this device. `qr`: a wallet on another device. */
export type Channel = 'dc' | 'link' | 'qr'

/** The browser knows best which wallets there are. Otherwise a phone or tablet has a wallet itself, and a computer shows a code to one. */
const handheldOrder: Channel[] = ['dc', 'link', 'qr']
const computerOrder: Channel[] = ['dc', 'qr', 'link']

/** The channels into a wallet that this session, browser and merchant allow. The first one is the main thing on the screen. */
export function planChannels({
  session,
  dc,
  device,
  methods,
}: {
  session: HolderSession
  dc: ComponentState['dc']
  device: Device
  methods: string | null
}): Channel[] {
  const order = readMethods(methods) ?? (device === 'computer' ? computerOrder : handheldOrder)
  const available = {
    dc: dc !== 'none',
    link: session.wallet_uri !== undefined || session.age_app_uri !== undefined,
    qr: session.screen_uri !== undefined,
  }
  return order.filter((channel) => available[channel])
}

/** The attribute `methods`. Undefined if it names no channel: nobody means to offer none. */
function readMethods(methods: string | null): Channel[] | undefined {
  const channels = (methods ?? '')
    .split(/\s+/)
    .filter((word) => word === 'dc' || word === 'link' || word === 'qr')
  return channels.length === 0 ? undefined : [...new Set(channels)]
}
