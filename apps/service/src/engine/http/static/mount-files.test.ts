import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../../basics/refusal.ts'
import { mountFiles } from './static-file.ts'

let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-'))
  await writeFile(join(folder, 'vidimus-verify-1.2.3.js'), 'run()'.repeat(100))
  await writeFile(join(folder, 'component.json'), '{}')
  await writeFile(join(folder, 'style-1.css'), 'a{}')
  app = fastify()
  // As the service's own error handler does.
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Refusal && error.code === 'not_found' ? 404 : 500).send(),
  )
  mountFiles(app, { path: '/any', folder, pattern: 'vidimus-verify-*.js', anyOrigin: true })
  mountFiles(app, { path: '/own', folder, pattern: '*.{js,css}', anyOrigin: false })
  mountFiles(app, { path: '/unbuilt', folder: join(folder, 'nowhere'), pattern: '*.js', anyOrigin: false })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

test('the component is served to any origin, compressed, and cached for ever', async () => {
  const { statusCode, headers, rawPayload } = await app.inject({
    url: '/any/vidimus-verify-1.2.3.js',
    headers: { 'accept-encoding': 'gzip' },
  })
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'gzip',
  })
  expect(rawPayload.length).toBeLessThan(100)
})

test('[PAGE-10] the files of the page are for its own origin', async () => {
  const { headers } = await app.inject('/own/style-1.css')
  expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  expect(headers['access-control-allow-origin']).toBeUndefined()
  expect(headers['content-type']).toBe('text/css; charset=utf-8')
})

test('other files of the folder, other folders and a missing build are 404', async () => {
  const urls = [
    '/any/component.json',
    '/any/style-1.css',
    '/own/component.json',
    '/own/..%2f..%2fetc%2fpasswd',
    '/own/%2e%2e',
    '/own/constructor',
    '/unbuilt/a.js',
  ]
  const statuses = await Promise.all(urls.map(async (url) => (await app.inject(url)).statusCode))
  expect(statuses).toEqual(urls.map(() => 404))
})
