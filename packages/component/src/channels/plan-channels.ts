import type { HolderSession } from '../holder-session.ts'
import type { ComponentState } from '../state/state.ts'

/** `dc`: the Digital Credentials API. `link`: a wallet on this device. `qr`: a wallet on another device. */
export type Channel = 'dc' | 'link' | 'qr'

/** A phone offers its own wallet first; elsewhere the browser comes first, then the QR code. */
const defaultOrder = { phone: ['link', 'dc', 'qr'], desktop: ['dc', 'qr', 'link'] } as const

/** The channels into a wallet that this session, browser and merchant allow, in the order in which they are shown. */
export function planChannels({
  session,
  dc,
  phone,
  methods,
}: {
  session: HolderSession
  dc: ComponentState['dc']
  phone: boolean
  methods: string | null
}): Channel[] {
  const order = readMethods(methods) ?? defaultOrder[phone ? 'phone' : 'desktop']
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
