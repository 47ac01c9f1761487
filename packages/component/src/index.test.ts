import { expect, test } from 'vitest'
import { defineVidimusVerify, tagName, VidimusVerifyElement } from './index.ts'

test('importing the module on a server defines nothing and touches no global of a browser', () => {
  expect(typeof HTMLElement).toBe('undefined')
  expect(tagName).toBe('vidimus-verify')
  expect(VidimusVerifyElement.observedAttributes).toEqual([
    'session',
    'base-url',
    'lang',
    'theme',
    'methods',
    'scheme',
    'redirect',
  ])
  defineVidimusVerify()
})
