import { expect, test } from 'vitest'
import { closeConnection, json, startScriptedService } from '../test/scripted-service.ts'
import { createClient } from './index.ts'

test('config exports and applies, and does not repeat an apply whose response was lost', async () => {
  const applied = { applied: true, changes: [], unchanged: 1, kept: 0, secrets: [] }
  const config = { version: 1, brand: {} } as const
  await using service = await startScriptedService(json(200, config), json(200, applied), closeConnection)
  const client = createClient({ baseUrl: service.baseUrl, apiKey: 'vk_test_0abc', sleep: async () => {} })

  expect(await client.config.export()).toEqual(config)
  expect(await client.config.apply(config, { prune: true, if_match: '"a"' })).toEqual(applied)
  await expect(client.config.apply(config)).rejects.toThrow(/PUT/)
  expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/config',
    'PUT /v1/config?dry_run=false&prune=true',
    'PUT /v1/config?dry_run=false&prune=false',
  ])
  expect(service.requests[1]).toMatchObject({ body: config, headers: { 'if-match': '"a"' } })
})
