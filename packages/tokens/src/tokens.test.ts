import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { surfaces } from './brand.ts'
import { contrast, parseHex } from './contrast.ts'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const [plain = '', both = ''] = css.split('@supports')
const light = new Map([...plain.matchAll(/(--[\w-]+): (#\w{6});/g)].map(([, name, value]) => [name, value]))
const pairs = [...both.matchAll(/(--[\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)]
const dark = new Map([...light, ...pairs.map(([, name, , value]) => [name, value] as const)])
const themes = { light, dark }
const grounds = ['--canvas', '--surface', '--sunken']

function worst(theme: keyof typeof themes, text: string, on: string[]): number {
  const colour = (name: string) => parseHex(themes[theme].get(name) ?? name)
  return Math.min(...on.map((ground) => contrast(colour(text), colour(ground))))
}

test('a browser without light-dark() gets the colours of the light theme', () => {
  expect(pairs.length).toBeGreaterThan(15)
  for (const [, name, value] of pairs) expect(light.get(name)).toBe(value)
})

test('the surfaces that a brand is derived for are those of the style sheet', () => {
  expect(surfaces).toEqual({ light: light.get('--surface'), dark: dark.get('--surface') })
})

test.each([
  ['--edge', grounds, 3.1, 4.1],
  ['--ink', grounds, 13.8, 13],
  ['--soft', grounds, 5.9, 6.9],
  ['--accent', grounds, 6.9, 8.6],
  ['--good', ['--good-tint'], 5.5, 8.8],
  ['--wait', ['--wait-tint'], 6.2, 9],
  ['--bad', ['--bad-tint'], 6.2, 8.8],
  ['#ffffff', ['--bad-solid'], 6.5, 6],
  ['--on-yes', ['--yes'], 8.9, 8.9],
  ['--on-no', ['--no'], 7.4, 7.4],
  ['--on-unchecked', ['--unchecked', '--unchecked-stripe'], 13.9, 13.9],
])('%s has its contrast on %s in both themes', (text, on, inLight, inDark) => {
  expect(worst('light', text, on)).toBeGreaterThan(inLight - 0.06)
  expect(worst('dark', text, on)).toBeGreaterThan(inDark - 0.06)
})
