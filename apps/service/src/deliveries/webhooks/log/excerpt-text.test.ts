import { expect, test } from 'vitest'
import { excerptText, maxExcerpt_bytes } from './describe-delivery.ts'

const excerpt = (text: string) => excerptText(Buffer.from(text))

test('[HOOK-7] the beginning of a response is kept as text, without control characters', () => {
  expect(excerpt('{"error":"no such order"}\r\n')).toBe('{"error":"no such order"}')
  expect(excerpt('a\0b\u001B[31mc\u202Ed\tf\ng')).toBe('ab[31mcd\tf\ng')
  expect(excerpt('<script>alert(1)</script>')).toBe('<script>alert(1)</script>')
  expect(excerpt('x'.repeat(5000))).toHaveLength(maxExcerpt_bytes)
})

test('[HOOK-7] a character that is cut off at the end is dropped, and a response that is not text is not kept', () => {
  for (let before = maxExcerpt_bytes - 4; before <= maxExcerpt_bytes; before += 1)
    expect(excerpt(`${'x'.repeat(before)}😀😀`)?.replaceAll('😀', '')).toBe('x'.repeat(before))
  expect(excerptText(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toBeUndefined()
  expect(excerptText(Buffer.from([0x61, 0xe2, 0x82]))).toBeUndefined()
  expect(excerpt('')).toBeUndefined()
  expect(excerpt('\0\0 \n')).toBeUndefined()
})
