import { errorCodes } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'
import { readPages } from './read-pages.ts'
import { toSlug } from './render-markdown.ts'

const pages = readPages()

test('docs/reference/errors.md gives every code of the API its section, with its status, and none that is not there', () => {
  const errors = pages.find(({ path }) => path === 'reference/errors')?.markdown ?? ''
  const chapters = errors.split(/^## /m).filter((part) => part.startsWith('Refused '))
  const documented = [...chapters.join('').matchAll(/^### (\w+)\n\nStatus (\d+)\./gm)].map(
    ([, code, status]) => [code, Number(status)],
  )

  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(Object.entries(errorCodes).map(([code, { status }]) => [code, status])),
  )
})

test('a heading has the anchor that GitHub gives it', () => {
  expect(toSlug('`holder_binding_invalid`')).toBe('holder_binding_invalid')
  expect(toSlug('What a tenant decides, and who asks in its name')).toBe(
    'what-a-tenant-decides-and-who-asks-in-its-name',
  )
})

test('[DX-9] code is highlighted without changing it, in every language of the guides', () => {
  const text = (html: string) =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  const blocks = pages.flatMap(({ markdown }) => [...markdown.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```$/gm)])
  expect(blocks.length).toBeGreaterThan(30)
  for (const [, language = '', code = ''] of blocks) expect(text(highlight(code, language))).toBe(code)

  expect(highlight('curl -s "$URL/x" # fetch', 'sh')).toBe(
    '<span class="t-keyword">curl</span> <span class="t-option">-s</span> <span class="t-string">&quot;$URL/x&quot;</span> <span class="t-comment"># fetch</span>',
  )
  expect(highlight('{ "a": true, "b": "<x>" }', 'json')).toBe(
    '{ <span class="t-option">&quot;a&quot;</span>: <span class="t-literal">true</span>, <span class="t-option">&quot;b&quot;</span>: <span class="t-string">&quot;&lt;x&gt;&quot;</span> }',
  )
  expect(highlight('<b>', 'mermaid')).toBe('&lt;b&gt;')
})

test('the guides for merchants need neither a clone nor an operator', () => {
  const guides = pages.filter(({ path }) => path.startsWith('guides/'))
  const operatorsOnly =
    /npm run|npm ci|\.vidimus\/|--tenant|vidimus (?:tenant|key|member|secret|template|trust|doctor|serve|work|migrate)\b/
  expect(guides.length).toBeGreaterThan(10)
  expect(guides.filter(({ markdown }) => operatorsOnly.test(markdown)).map(({ path }) => path)).toEqual([])
})
