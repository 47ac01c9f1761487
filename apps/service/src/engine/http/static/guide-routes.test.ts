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
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(page.text).toContain(`<title>${title} · Vidimus</title>`)
    expect(page.text).toContain(`<link rel="alternate" type="text/markdown" href="/docs/${path}.md">`)
    // Every script is a file of its own, and nothing has an inline style.
    expect(page.text).not.toMatch(
      /<script(?! (?:type="module" )?src="\/docs\/assets\/[\w./-]+"><\/script>)|<style|\ssrc="(?!\/docs\/)|<[^>]* style="/,
    )
    // A missing image would be rendered as its alternative text.
    expect(page.text.match(/<img /g)?.length).toBe(markdown.match(/!\[/g)?.length)
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    // Some parts are written by the build.
    for (const part of markdown.split(/^<!-- generated: .*\n.*$/m)) expect(twin.text).toContain(part)
  }
})

test('code is highlighted without changing it, in every language of the guides', async () => {
  const toText = (html: string) =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  let blocks = 0
  for (const { path } of pages) {
    const { text } = await service.anonymous.get(`/docs/${path}`)
    const twin = await service.anonymous.get(`/docs/${path}.md`)
    const shown = [...text.matchAll(/<pre [^>]*><code>([^]*?)<\/code><\/pre>/g)]
    const written = [...twin.text.matchAll(/^( *)```[^\n]*\n([^]*?)\n\1```$/gm)]
    expect(shown.map(([, html = '']) => toText(html))).toEqual(
      written.map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
    )
    blocks += shown.length
  }
  expect(blocks).toBeGreaterThan(30)

  const { text } = await service.anonymous.get('/docs/guides/quickstart')
  expect(text).toContain('<span class="t-keyword">node</span>')
  expect(text).toContain('<p class="terminal">in a separate terminal: receiver</p>')
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

test('assets are cached for ever, and pages for five minutes; a client that has one gets 304', async () => {
  const { text, headers } = await service.anonymous.get('/docs/guides/quickstart')
  const assets = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(assets.length).toBeGreaterThan(5)
  for (const path of assets) {
    const asset = await service.anonymous.get(path)
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
  }
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  const again = await service.anonymous.get('/docs/guides/quickstart', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  const head = await service.anonymous.request('HEAD', '/docs/guides/quickstart')
  expect([head.status, head.text]).toEqual([200, ''])
  for (const path of [
    '/docs/guides/nowhere',
    '/docs/assets/nowhere.js',
    '/docs/404',
    '/docs/guides/..%2f..%2fpackage.json',
    '/docs/guides/%2e%2e/%2e%2e/package.json',
  ])
    expect([path, (await service.anonymous.get(path)).status]).toEqual([path, 404])
})

test('the search index has every page and every operation, and stays small', async () => {
  const folder = 'apps/guides/dist/docs/assets/chunks'
  const [index = ''] = globSync('@localSearchIndex*.js', { cwd: folder })
  const { status, text } = await service.anonymous.get(`/docs/assets/chunks/${index}`)
  expect(status).toBe(200)
  for (const { path } of pages) expect(text).toContain(`"/docs/${path}#`)
  expect(text).toContain('POST /v1/verifications')
  expect(text.length).toBeLessThan(500_000)
})
