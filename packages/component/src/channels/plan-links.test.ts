import { expect, test } from 'vitest'
import { session } from '../../test/session.ts'
import { planLinks } from './plan-links.ts'

const links = ['eu-eaap', 'openid4vp', 'haip-vp'].map((name) => ({ name, uri: `${name}://?link` }))
const [first, second, third] = links

test('the first link is the main one, and the others follow in their order', () => {
  expect(planLinks(session({ links }), null)).toEqual({ main: 'eu-eaap://?link', others: [second, third] })
})

test('the page of the merchant can choose another main link, but none that the session lacks', () => {
  expect(planLinks(session({ links }), 'haip-vp')).toEqual({
    main: 'haip-vp://?link',
    others: [first, second],
  })
  expect(planLinks(session({ links }), 'javascript').main).toBe('eu-eaap://?link')
})

test('an older service sends one link only', () => {
  expect(planLinks(session(), null)).toEqual({ main: 'openid4vp://?link', others: [] })
})
