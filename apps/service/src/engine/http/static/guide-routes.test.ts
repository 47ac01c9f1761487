import { globSync, readFileSync } from 'node:fs'
import { errorCodes } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Service } from '../../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const pages = globSync('{guides,reference,operate}/**/*.md', { cwd: 'docs' }).map((file) => {
  const markdown = readFileSync(`docs/${file}`, 'utf8')
  return { path: file.replace(/\.md$/, ''), title: /^# (.+)$/m.exec(markdown)?.[1] ?? '', markdown }
})

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
    // Some parts are written by the build.
    for (const part of markdown.split(/^<!-- generated: .*\n.*$/m)) expect(twin.text).toContain(part)
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
  const missing = Object.keys(errorCodes).filter((code) => !text.includes(`id="${code}"`))
  expect(missing).toEqual([])

  const unknown = await service.anonymous.get('/v1/usage')
  const wrong = await service.anonymous.request('PUT', '/v1/usage')
  const { BASE_URL } = service.ctx.config
  expect(unknown.headers.get('link')).toBe(`<${BASE_URL}/docs/errors#invalid_api_key>; rel="help"`)
  expect(wrong.headers.get('link')).toBe(`<${BASE_URL}/docs/errors#method_not_allowed>; rel="help"`)

  const help = await service.anonymous.get('/docs/errors')
  expect([help.status, help.headers.get('location')]).toEqual([308, '/docs/reference/errors'])
})

test('llms.txt lists the Markdown of every page', async () => {
  const { text, headers } = await service.anonymous.get('/llms.txt')
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  for (const { path } of pages) expect(text).toContain(`(/docs/${path}.md)`)
})

test('the search index leads to existing sections, has every operation, and stays small', async () => {
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
