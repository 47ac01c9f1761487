import { expect, test } from 'vitest'
import { session } from '../../test/session.ts'
import type { HolderSession } from '../holder-session.ts'
import type { Device } from './device.ts'
import { planChannels } from './plan-channels.ts'

const all = session()
const { screen_uri: _, ...withoutCode } = session()
const { screen_uri: __, wallet_uri: ___, ...nothing } = session()

const plans: {
  title: string
  session?: HolderSession
  device?: Device
  dc?: 'none' | 'fetching'
  methods?: string
  channels: string[]
}[] = [
  {
    title: 'a phone asks the browser first, then its own wallet',
    device: 'phone',
    channels: ['dc', 'link', 'qr'],
  },
  { title: 'so does a tablet', device: 'tablet', dc: 'none', channels: ['link', 'qr'] },
  { title: 'a computer offers the browser first, then the code', channels: ['dc', 'qr', 'link'] },
  { title: 'without the API the code comes first', dc: 'none', channels: ['qr', 'link'] },
  { title: 'without a code there is none', session: withoutCode, channels: ['dc', 'link'] },
  { title: 'nothing is offered that the session lacks', session: nothing, dc: 'none', channels: [] },
  {
    title: 'the age app is a link too',
    session: { ...nothing, age_app_uri: 'av://' },
    dc: 'none',
    channels: ['link'],
  },
  { title: 'the merchant chooses order and subset', methods: ' qr  dc ', channels: ['qr', 'dc'] },
  { title: 'a channel is offered once', methods: 'qr qr', channels: ['qr'] },
  { title: 'what is no channel is ignored', methods: 'nfc', channels: ['dc', 'qr', 'link'] },
]

test.each(plans)(
  '$title',
  ({ session: given = all, device = 'computer', dc = 'fetching', methods = null, channels }) => {
    expect(planChannels({ session: given, dc, device, methods })).toEqual(channels)
  },
)
