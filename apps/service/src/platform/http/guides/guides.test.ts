import { errorStatus } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Service } from '../../../../test/service.ts'
import { highlight } from './highlight.ts'
import { readPages } from './read-pages.ts'
import { toSlug } from './render-markdown.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const pages = readPages()

test('every page is served as HTML and as Markdown, and loads nothing from other origins', async () => {
  expect(pages.length).toBeGreaterThan(12)
  for (const { path, title, markdown } of pages) {
    const page = await service.anonymous.get(`/docs/${path}`)
    const twin = await service.anonymous.get(`/docs/${path}.md`)

    expect([page.status, twin.status]).toEqual([200, 200])
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'self'; script-src 'self';",
    )
    expect(page.text).toContain(`<title>${title}`)
    expect(page.text).not.toMatch(
      /<script(?! src="\/docs\/guides\.js"><\/script>)|\ssrc="(?!\/docs\/)|style="/,
    )
    // A missing image would be rendered as its alternative text.
    expect(page.text.match(/<img /g)?.length).toBe(markdown.match(/!\[/g)?.length)
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(twin.text).toBe(markdown)
  }
})

test('every link of a page leads to a served page and an existing heading', async () => {
  const texts = new Map<string, string>()
  const open = async (path: string) => {
    if (!texts.has(path)) {
      const { status, text } = await service.anonymous.get(path)
      texts.set(path, status === 200 ? text : '')
    }
    return texts.get(path) ?? ''
  }
  const dead: string[] = []
  for (const from of ['/docs/guides', ...pages.map(({ path }) => `/docs/${path}`)]) {
    const links = [...(await open(from)).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = '']) => href)
    for (const href of links.filter((link) => !link.startsWith('https:'))) {
      const { pathname, hash } = new URL(href, `http://docs${from}`)
      const target = await open(pathname)
      if (target === '' || (hash !== '' && !target.includes(`id="${hash.slice(1)}"`)))
        dead.push(`${from}: ${href}`)
    }
  }

  expect(dead).toEqual([])
})

test('every error code has a section, and an error response links to it', async () => {
  const { text } = await service.anonymous.get('/docs/reference/errors')
  const missing = Object.keys(errorStatus).filter((code) => !text.includes(`id="${code}"`))
  expect(missing).toEqual([])

  const unknown = await service.anonymous.get('/v1/usage')
  const wrong = await service.anonymous.request('PUT', '/v1/usage')
  const { BASE_URL } = service.ctx.config
  expect(unknown.headers.get('link')).toBe(`<${BASE_URL}/docs/errors#invalid_api_key>; rel="help"`)
  expect(wrong.headers.get('link')).toBe(`<${BASE_URL}/docs/errors#method_not_allowed>; rel="help"`)

  const help = await service.anonymous.get('/docs/errors')
  expect([help.status, help.headers.get('location')]).toEqual([308, '/docs/reference/errors'])
})

test('docs/reference/errors.md gives every code of the API its section, with its status, and none that is not there', () => {
  const errors = pages.find(({ path }) => path === 'reference/errors')?.markdown ?? ''
  const chapters = errors.split(/^## /m).filter((part) => part.startsWith('Refused '))
  const documented = [...chapters.join('').matchAll(/^### (\w+)\n\nStatus (\d+)\./gm)].map(
    ([, code, status]) => [code, Number(status)],
  )

  expect(Object.fromEntries(documented)).toEqual(errorStatus)
})

test('llms.txt lists the Markdown of every page', async () => {
  const { text, headers } = await service.anonymous.get('/llms.txt')
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  for (const { path } of pages) expect(text).toContain(`(/docs/${path}.md)`)
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

test('[DX-9] the search index leads to existing sections, has every operation, and stays small', async () => {
  const { status, body, text, headers } = await service.anonymous.get('/docs/search.json')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  const urls: string[] = body.map(({ url }: { url: string }) => url)
  for (const { path } of pages) expect(urls).toContain(`/docs/${path}`)
  const texts = new Map<string, string>()
  const dead: string[] = []
  for (const url of urls.filter((each) => each.includes('#'))) {
    const [page = '', id = ''] = url.split('#')
    if (!texts.has(page)) texts.set(page, (await service.anonymous.get(page)).text)
    if (!texts.get(page)?.includes(`id="${id}"`)) dead.push(url)
  }
  expect(dead).toEqual([])
  expect(text).toContain('POST /v1/verifications')
  expect(text.length).toBeLessThan(300_000)
})

test('the guides for merchants need neither a clone nor an operator', () => {
  const guides = pages.filter(({ path }) => path.startsWith('guides/'))
  const operatorsOnly =
    /npm run|npm ci|\.vidimus\/|--tenant|vidimus (?:tenant|key|member|secret|template|trust|doctor|serve|work|migrate)\b/
  expect(guides.length).toBeGreaterThan(10)
  expect(guides.filter(({ markdown }) => operatorsOnly.test(markdown)).map(({ path }) => path)).toEqual([])
})
