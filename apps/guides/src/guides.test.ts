import { errorCodes } from '@vidimus/contract'
import { checks, failures } from '@vidimus/protocol'
import { faults } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { limitGroups } from '../../../tools/limits/groups.ts'
import { highlight } from './highlight.ts'
import { readPages } from './read-pages.ts'
import { toSlug } from './render-markdown.ts'

const pages = readPages()

const readPage = (path: string) => pages.find((page) => page.path === path)?.markdown ?? ''

test('the page of errors has a section for every code, with its status, and for every check', () => {
  const [, requests = '', dashboard = '', failed = '', checked = ''] =
    readPage('reference/errors').split(/^## /m)
  const refused = [...`${requests}${dashboard}`.matchAll(/^### (\w+)\n\nStatus (\d+)\./gm)]
  const sections = (chapter: string) => Array.from(chapter.matchAll(/^### (\w+)$/gm), ([, name]) => name)

  expect(Object.fromEntries(refused.map(([, code, status]) => [code, Number(status)]))).toEqual(
    Object.fromEntries(Object.entries(errorCodes).map(([code, { status }]) => [code, status])),
  )
  expect(sections(failed)).toEqual(Object.keys(failures))
  expect(sections(checked)).toEqual(Object.keys(checks))
})

test('the pages of limits and faults have a row for each of them', () => {
  const limits = limitGroups.flatMap((group) => group.limits)

  expect(readPage('reference/limits').match(/^\| .+ \| `[\w.]+` \|$/gm)?.length).toBe(limits.length)
  for (const { name } of faults) expect(readPage('reference/faults')).toContain(`\n| \`${name}\` | `)
  expect(pages.filter(({ markdown }) => markdown.includes('<!-- generated: '))).toEqual([])
})

test('a heading has the anchor that GitHub gives it', () => {
  expect(toSlug('`holder_binding_invalid`')).toBe('holder_binding_invalid')
  expect(toSlug('What a tenant decides, and who asks in its name')).toBe(
    'what-a-tenant-decides-and-who-asks-in-its-name',
  )
})

test('code is highlighted without changing it, in every language of the guides', () => {
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
