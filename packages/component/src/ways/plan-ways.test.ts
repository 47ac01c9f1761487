import { expect, test } from 'vitest'
import { session } from '../../test/session.ts'
import type { HolderSession } from '../holder-session.ts'
import { planWays } from './plan-ways.ts'

const all = session()
const { screen_uri: _, ...withoutCode } = session()
const { screen_uri: __, wallet_uri: ___, ...nothing } = session()

const plans: {
  title: string
  session?: HolderSession
  phone?: boolean
  dc?: 'none' | 'fetching'
  methods?: string
  ways: string[]
}[] = [
  { title: 'a phone offers its own wallet first', phone: true, ways: ['link', 'dc', 'qr'] },
  { title: 'a computer offers the browser first, then the code', ways: ['dc', 'qr', 'link'] },
  { title: 'without the API the code comes first', dc: 'none', ways: ['qr', 'link'] },
  { title: 'without a code there is none', session: withoutCode, ways: ['dc', 'link'] },
  { title: 'nothing is offered that the session lacks', session: nothing, dc: 'none', ways: [] },
  {
    title: 'the age app is a link too',
    session: { ...nothing, age_app_uri: 'av://' },
    dc: 'none',
    ways: ['link'],
  },
  { title: 'the merchant chooses order and subset', methods: ' qr  dc ', ways: ['qr', 'dc'] },
  { title: 'a way is offered once', methods: 'qr qr', ways: ['qr'] },
  { title: 'what is no way is ignored', methods: 'nfc', ways: ['dc', 'qr', 'link'] },
]

test.each(plans)(
  '$title',
  ({ session: given = all, phone = false, dc = 'fetching', methods = null, ways }) => {
    expect(planWays({ session: given, dc, phone, methods })).toEqual(ways)
  },
)
