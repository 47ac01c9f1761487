import { expect, test } from 'vitest'
import { buildRedirectUrl } from './build-redirect-url.ts'

test.each([
  ['https://shop.example/done', 'https://shop.example/done#response_code=abc'],
  ['https://shop.example/done?a=b', 'https://shop.example/done?a=b#response_code=abc'],
  ['https://shop.example/done#', 'https://shop.example/done#response_code=abc'],
  ['https://shop.example/done#step=2', 'https://shop.example/done#step=2&response_code=abc'],
  ['https://shop.example/#a#b', 'https://shop.example/#a#b&response_code=abc'],
  ['shop.example:/done', 'shop.example:/done#response_code=abc'],
])('[WRES-2] [OID4VP-14] %s gets the code in its fragment', (redirect_url, redirect_uri) => {
  expect(buildRedirectUrl(redirect_url, 'abc')).toBe(redirect_uri)
})
