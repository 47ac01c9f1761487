import { expect, test } from 'vitest'
import { maskUrl } from './mask-url.ts'

test('a query string is shown only to members who may read claims, and a password to no one', () => {
  const url = 'https://ann:secret@shop.example/hook?token=t0ken&x=1#frag'
  expect(maskUrl(url, 'owner')).toBe('https://shop.example/hook?token=t0ken&x=1#frag')
  expect(maskUrl(url, 'developer')).toBe('https://shop.example/hook?token=t0ken&x=1#frag')
  for (const role of ['support', 'auditor'] as const) {
    expect(maskUrl(url, role)).toBe('https://shop.example/hook?…#…')
    expect(maskUrl('https://shop.example/a@b', role)).toBe('https://shop.example/a@b')
    expect(maskUrl('https://a:b@c@shop.example/?x', role)).toBe('https://shop.example/?…')
    expect(maskUrl('com.shop.app:/done?x=1', role)).toBe('com.shop.app:/done?…')
  }
})
