import { expect, test } from 'vitest'
import { isInAppBrowser } from './device.ts'

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const android = 'Mozilla/5.0 (Linux; Android 16; Pixel 9'

test.each([
  [`${iPhone} Version/26.1 Mobile/15E148 Safari/604.1`, false],
  [`${iPhone} Mobile/15E148`, true],
  [`${iPhone} Mobile/15E148 Instagram 400.0.0`, true],
  [`${iPhone} CriOS/156.0 Mobile/15E148 Safari/604.1`, false],
  [`${android}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36`, false],
  [
    `${android}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/156.0.0.0 Mobile Safari/537.36`,
    true,
  ],
  [`${android}) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36 [FBAN/EMA;FBLC/de_DE]`, true],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.1 Safari/605.1.15',
    false,
  ],
])('%s is the browser of an app: %s', (userAgent, expected) => {
  expect(isInAppBrowser(userAgent)).toBe(expected)
})
