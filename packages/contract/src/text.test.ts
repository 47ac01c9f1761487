import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CreateVerification, IdempotencyKey, ListVerifications, RegisterDevice } from './index.ts'
import { text } from './text.ts'

test('[GEN-10] lengths count code points, not UTF-16 units', () => {
  const three = text({ min: 1, max: 3 })
  for (const good of ['a', 'äöü', '🂡🂢🂣']) expect(three.safeParse(good).success).toBe(true)
  for (const bad of ['', 'abcd', '🂡🂢🂣🂤', 'a🂡🂢🂣']) expect(three.safeParse(bad).success).toBe(false)

  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.nat(6), fc.nat(6), (value, a, b) => {
      const [min, max] = a < b ? [a, b] : [b, a]
      const count = Array.from(value).length
      expect(text({ min, max }).safeParse(value).success).toBe(count >= min && count <= max)
    }),
    { numRuns: 2000 },
  )
})

test('[GEN-10] NUL and lone surrogates are refused in every text', () => {
  for (const bad of ['\0', 'a\0b', '\ud800', 'a\udfffb', '\ud83c']) {
    expect(text().safeParse(bad).success).toBe(false)
    expect(CreateVerification.safeParse({ template: 't', purpose: bad }).success).toBe(false)
    expect(CreateVerification.safeParse({ template: 't', metadata: { [bad]: 'x' } }).success).toBe(false)
    expect(CreateVerification.safeParse({ template: 't', metadata: { x: bad } }).success).toBe(false)
    expect(RegisterDevice.safeParse({ name: bad, allowed_templates: ['t'] }).success).toBe(false)
  }
})

test('query strings are parsed strictly', () => {
  const read = (query: object) => ListVerifications.safeParse(query)

  expect(read({}).data).toEqual({ limit: 20 })
  expect(read({ limit: '100', before: '2026-01-31T12:00:00.123456Z' }).data).toEqual({
    limit: 100,
    before: '2026-01-31T12:00:00.123456Z',
  })
  for (const limit of ['0', '101', '-1', '1.0', '1e1', ' 1', '', '٣', ['1', '2']]) {
    expect(read({ limit }).success).toBe(false)
  }
  for (const before of [
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31T12:00:00+00:00',
    '2026-02-30T12:00:00Z',
    '2026-01-31T12:00:60Z',
    '2026-01-31T12:00Z',
    '0000-01-01T00:00:00Z',
    `2026-01-31T12:00:00.${'0'.repeat(100)}Z`,
    'now',
    '',
  ]) {
    expect([before, read({ before }).success]).toEqual([before, false])
  }
  expect(read({ offset: '1' }).success).toBe(false)
})

test('[CREATE-11] redirect_url must be a web address that everybody reads alike, or have a scheme based on a domain name', () => {
  const created = (body: object) => CreateVerification.safeParse({ template: 't', ...body }).success

  for (const good of [
    'https://shop.example/done',
    'http://localhost:3000',
    'https://shop.example',
    'https://shop.example?cart=1',
    "https://shop.example:8443/a@b?c='d'&e=[f]",
    'HTTPS://Shop.Example/',
    'https://[2001:db8::1]/',
    'https://bücher.example/zurück',
    'com.shop.app:/done',
    'com.shop.app://done',
    'uk.co.shop-2.app:/done',
    'xn--p1ai.shop.app:/done',
  ]) {
    expect([good, created({ redirect_url: good })]).toEqual([good, true])
  }
  for (const bad of [
    'shop.example/done',
    '/done',
    '//shop.example',
    '',
    ' https://shop.example',
    'https://shop.example/a b',
    'https://shop.example/done#x',
    'java\nscript:alert(1)',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://shop.example/x',
    'intent://shop/#Intent;scheme=shop;S.browser_fallback_url=https%3A%2F%2Fevil.example;end',
    'view-source:https://shop.example',
    'ms-msdt:/id',
    'ms-word:ofe|u|https://evil.example/a.docx',
    'search-ms:query=x&crumb=location:%5C%5Cevil.example',
    'about:blank',
    'feed:https://shop.example',
    'jar:https://shop.example/x.jar!/',
    'filesystem:https://shop.example/temporary/x',
    'tel:+4912345',
    'x-apple.systempreferences:com.apple.preferences',
    'openid4vp://?request_uri=https://evil.example',
    'shop:done',
    'shop://done',
    'shop-app://back',
    'zoommtg://zoom.us/join',
    'x-safari-https://shop.example',
    'x-web-search://?x',
    'googlechromes://shop.example',
    'ms-appx.web://x',
    'com.:/done',
    '.shop:/done',
    'com..shop:/done',
    'https://shop.example\\@evil.example/',
    'https://shop.example/\\evil.example',
    'https:\\\\shop.example',
    'https:shop.example',
    'https:/shop.example',
    'https:///shop.example',
    'https://@shop.example/',
    'https://:@shop.example/',
    'https://shop.example%2eevil.example/',
    'https://shop.\texample/',
    'com.shop.app:\\done',
    'https://shop.example@evil.example/',
    'https://user:secret@shop.example/',
    `https://shop.example/${'a'.repeat(2048)}`,
    'https://',
  ]) {
    expect([bad, created({ redirect_url: bad })]).toEqual([bad, false])
  }
})

test('an idempotency key is 1-255 printable ASCII characters without spaces', () => {
  for (let code = 0; code < 256; code += 1) {
    expect(IdempotencyKey.safeParse(String.fromCharCode(code)).success).toBe(code > 32 && code < 127)
  }
  for (const [length, good] of [
    [0, false],
    [1, true],
    [255, true],
    [256, false],
  ] as const) {
    expect(IdempotencyKey.safeParse('k'.repeat(length)).success).toBe(good)
  }
})
