import { errorCodes } from '@vidimus/contract'
import { checks, failures } from '@vidimus/protocol'
import { faults } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { limitGroups } from '../../../tools/limits/groups.ts'
import { llmsText } from './contents.ts'
import { fillInSections } from './generated/sections.ts'
import { readPages } from './read-pages.ts'
import { resolveLinks } from './resolve-links.ts'
import { toSlug } from './to-slug.ts'

const pages = readPages().map(fillInSections)

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

test('links lead to the served address, or become text, and comments are removed', () => {
  const page = {
    path: 'operate/local',
    markdown: [
      '<!-- bench: rates -->',
      '[a](../guides/webhooks.md#x) [b](../../README.md) ![c](../images/d.png) [e](#f) [g](https://h.example)',
    ].join('\n'),
  }
  expect(resolveLinks(page, new Set(['guides/webhooks', 'images/d.png']))).toBe(
    '[a](/docs/guides/webhooks#x) b ![c](/docs/images/d.png) [e](#f) [g](https://h.example)',
  )
})

test('the list of pages for language models has every page once', () => {
  const listed = Array.from(llmsText(pages).matchAll(/\]\(\/docs\/(.+)\.md\)/g), ([, path]) => path)
  expect(listed).toHaveLength(pages.length)
  expect(new Set(listed)).toEqual(new Set(pages.map(({ path }) => path)))
})

test('the guides for merchants need neither a clone nor an operator', () => {
  const guides = pages.filter(({ path }) => path.startsWith('guides/'))
  const operatorsOnly = /npm run|npm ci|--tenant|vidimus (?:admin|doctor|health|serve|work|migrate)\b/
  expect(guides.length).toBeGreaterThan(10)
  expect(guides.filter(({ markdown }) => operatorsOnly.test(markdown)).map(({ path }) => path)).toEqual([])
})
