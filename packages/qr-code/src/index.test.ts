import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { drawQrPath } from './index.ts'

test('the path has the modules of the code, with a quiet zone of four on each side', () => {
  const text = 'openid4vp://?client_id=x509_hash%3Aabc'
  const { data, size: modules } = encode(text, { ecc: 'M', border: 0, maskPattern: 2 })
  const { size, path } = drawQrPath(text)
  const drawn = new Set(
    [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].flatMap(([, x, y, width]) =>
      Array.from({ length: Number(width) }, (_, n) => `${Number(x) + n - 4} ${Number(y) - 4}`),
    ),
  )
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])))

  expect(size).toBe(modules + 8)
  expect(drawn).toEqual(new Set(dark))
})
