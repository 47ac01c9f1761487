import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inheritedVariables } from '../../../../test/processes/inherited-variables.ts'
import { packedProgram } from '../../../../test/processes/packed-program.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { startService } from '../../../../test/service.ts'

const service = await startService()
const merchant = await service.tenant()
const client = new Client({ name: 'test', version: '1.0.0' })

beforeAll(async () => {
  const env = { ...inheritedVariables(), VIDIMUS_URL: service.address, VIDIMUS_KEY: merchant.key }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [packedProgram(), 'mcp'], env }),
  )
})
afterAll(async () => {
  await client.close()
  await service[Symbol.asyncDispose]()
})

async function call(name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [first] = content
  return { text: first?.type === 'text' ? first.text : '', value: Object(structuredContent), isError }
}

test('an assistant creates a verification, responds to it as a persona and reads what was found', async () => {
  const created = (await call('create_test_verification', { template: 'age_over_18' })).value
  expect(created).toMatchObject({ status: 'pending', template: 'age_over_18' })
  const responded = await call('respond_as_persona', { id: created.id, persona: 'adult' })
  expect(responded.value).toMatchObject({ http_status: 200, status: 'completed' })
  const read = await call('get_verification', { id: created.id })
  expect(read.value).toMatchObject({ status: 'completed', claim_names: ['age_over_18'] })
  expect(read.text).not.toContain('"claims"')
  const opened = await call('get_verification', { id: created.id, include_claims: true })
  expect(opened.value.claims).toEqual({ age_over_18: true })
})

test('values of claims are in no result that was not asked for them', async () => {
  const created = (await call('create_test_verification', { template: 'pid_full' })).value
  const responded = await call('respond_as_persona', { id: created.id, persona: 'adult' })
  const read = await call('get_verification', { id: created.id })
  const { value } = await call('get_verification', { id: created.id, include_claims: true })
  const family_name: string = value.claims.family_name
  expect(family_name.length).toBeGreaterThan(2)
  expect(responded.text + read.text).not.toContain(family_name)
})

test('a wallet that does something wrong is explained', async () => {
  const { faults } = (await call('list_faults')).value
  const created = (await call('create_test_verification')).value
  const responded = (await call('respond_as_persona', { id: created.id, persona: 'untrusted_issuer' })).value
  expect(responded).toMatchObject({ status: 'failed', error: { code: 'issuer_untrusted' } })
  expect((await call('explain_code', { code: responded.error.code })).text).toMatch(/^### issuer_untrusted\n/)
  expect((await call('explain_code', { code: 'issuer_untrustd' })).text).toContain(
    'Did you mean issuer_untrusted?',
  )
  expect(faults.length).toBeGreaterThan(50)
})

test('the guides are those of the service', async () => {
  expect((await call('read_guide')).text).toContain('/docs/guides/quickstart.md')
  expect((await call('read_guide', { path: 'guides/webhooks' })).text).toMatch(/^# Webhooks/)
  expect(await call('read_guide', { path: 'guides/../../etc' })).toMatchObject({ isError: true })
  expect(await call('read_guide', { path: 'guides/nowhere' })).toMatchObject({ isError: true })
})

test('a refusal of the service is a result, in its words', async () => {
  const refused = await call('create_test_verification', { template: 'age_over_l8' })
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('age_over_18') })
  expect(await call('get_verification', { id: 'vs_unknown' })).toMatchObject({ isError: true })
})

test('no tool erases, manages keys, or reads live data', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    'create_test_verification',
    'explain_code',
    'get_verification',
    'list_faults',
    'list_templates',
    'read_guide',
    'respond_as_persona',
  ])
  const live = await runProgram(['mcp'], { VIDIMUS_URL: service.address, VIDIMUS_KEY: 'vk_live_0000' })
  expect(live).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('vk_test_') })
})
