import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fastify, type FastifyInstance } from 'fastify'
import { mountFrontEnd } from './front-end-routes.ts'

let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'front-end-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<title>page</title>')
  await writeFile(join(folder, 'assets/main-1.js'), 'run()'.repeat(100))
  await writeFile(join(folder, 'assets/main-1.js.map'), '{}')
  await writeFile(join(folder, 'sw.js'), 'addEventListener()')
  await writeFile(join(folder, 'manifest.webmanifest'), '{}')
  await writeFile(join(folder, 'icon.png'), 'png')
  app = fastify()
  mountFrontEnd(app, { path: '/there', folder, home: true })
  mountFrontEnd(app, { path: '/unbuilt', folder: join(folder, 'nowhere') })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

test('every path of a front end serves its page, with a policy that forbids inline code and other origins', async () => {
  for (const url of ['/there', '/there/', '/there/test/keys', '/there/a%20b?c=d']) {
    const { statusCode, headers, body } = await app.inject(url)
    expect([url, statusCode, body]).toEqual([url, 200, '<title>page</title>'])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['cache-control']).toBe('no-cache')
  }
})

test('a file with a content hash in its name is immutable and sent compressed', async () => {
  const { headers, rawPayload } = await app.inject({
    url: '/there/assets/main-1.js',
    headers: { 'accept-encoding': 'gzip' },
  })
  expect(headers['cache-control']).toContain('immutable')
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(headers['content-encoding']).toBe('gzip')
  expect(rawPayload.length).toBeLessThan(100)
})

test('the bare address leads to the front end that is the home of its server', async () => {
  const { statusCode, headers } = await app.inject('/')
  expect([statusCode, headers['location']]).toEqual([302, '/there'])
})

test('a service worker may control the page of its front end, and is checked for a new version', async () => {
  const { headers } = await app.inject('/there/sw.js')
  expect(headers).toMatchObject({
    'service-worker-allowed': '/there',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  })
  expect((await app.inject('/there')).headers['service-worker-allowed']).toBeUndefined()
})

test('a manifest and its icons have their media types, and the policy allows them', async () => {
  const manifest = await app.inject('/there/manifest.webmanifest')
  expect(manifest.headers['content-type']).toBe('application/manifest+json')
  expect((await app.inject('/there/icon.png')).headers['content-type']).toBe('image/png')
  expect((await app.inject('/there')).headers['content-security-policy']).toContain("manifest-src 'self'")
})

test('missing files, API paths and unbuilt front ends do not get the page', async () => {
  for (const url of [
    '/there/api/nothing',
    '/there/assets/main-2.js',
    '/there/assets/main-1.js.map',
    '/there/assets/../../package.json',
    '/unbuilt',
  ]) {
    const { body } = await app.inject(url)
    expect([url, body.includes('<title>')]).toEqual([url, false])
    expect(body).not.toContain('"private"')
  }
})
