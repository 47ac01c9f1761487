import { startVerifier } from '@vidimus/sandbox/testing/verifier'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startService, testEnvironment } from '../../../test/service.ts'
import { setHolderPage } from '../../accounts/tenants/holder-page.ts'

const database = await createTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())

const wallet = (...args: string[]) => runCommand(['wallet', ...args], testEnvironment(database.url))

const query = {
  credentials: [
    {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1', 'urn:eudi:pid:de:1'] },
      claims: [{ path: ['given_name'] }],
    },
    {
      id: 'mdl',
      format: 'mso_mdoc',
      meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
      claims: [{ path: ['org.iso.18013.5.1', 'given_name'] }],
    },
  ],
  credential_sets: [{ options: [['pid'], ['mdl']] }],
}

describe('wallet respond', () => {
  test('responds to a request and prints the service’s response as one JSON object', async () => {
    await using verifier = await startVerifier({ query })

    const args = ['wallet', 'respond', verifier.wallet_uri, '--json']
    const ran = await runProgram(args, testEnvironment(database.url))

    expect(ran).toEqual({ status: 0, stdout: '{"http_status":200,"body":{}}\n', stderr: '' })
    expect(verifier.responses).toMatchObject([{ vp_token: { pid: [expect.any(String)] } }])
  })

  test.each([
    [['--with', 'mdl,av'], 'mdl'],
    [['--format', 'mdoc'], 'mdl'],
    [['--with', 'pid', '--persona', 'german_pid'], 'pid'],
  ])('uses the selected documents: %j', async (args, id) => {
    await using verifier = await startVerifier({ query })

    await wallet('respond', verifier.wallet_uri, ...args)

    expect(verifier.responses).toMatchObject([{ vp_token: { [id]: [expect.any(String)] } }])
  })

  test('declines', async () => {
    await using verifier = await startVerifier({ query })

    expect(await wallet('respond', verifier.wallet_uri, '--decline')).toMatchObject({ status: 0 })
    expect(verifier.responses).toMatchObject([{ error: 'access_denied' }])
  })

  test('commits one named fault', async () => {
    await using verifier = await startVerifier({ query })

    expect(await wallet('respond', verifier.wallet_uri, '--fault', 'query_id_missing')).toMatchObject({
      status: 0,
    })
    expect(verifier.responses).toMatchObject([{ vp_token: {} }])
  })

  test('does not respond if the fault does not apply', async () => {
    await using verifier = await startVerifier({ query })

    const ran = await wallet('respond', verifier.wallet_uri, '--fault', 'claim_value')

    expect(ran).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('claim_value') })
    expect(verifier.responses).toEqual([])
  })

  test('prints a refusal by the service with exit status 0', async () => {
    await using verifier = await startVerifier({ query })

    const ran = await wallet('respond', verifier.wallet_uri, '--persona', 'responds_twice', '--json')

    expect(ran).toMatchObject({ status: 0, stdout: '{"http_status":409,"body":{"error":{}}}\n' })
  })

  test('reports what a strict wallet objects to and does not respond', async () => {
    await using verifier = await startVerifier({ query, alterations: { claims: { aud: 'somebody else' } } })

    const ran = await wallet('respond', verifier.wallet_uri, '--json')

    expect(ran).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('request.aud') })
    expect(verifier.responses).toEqual([])
  })

  test('responds through the Digital Credentials API as a page of an origin', async () => {
    await using service = await startService({
      database: { url: database.url, async [Symbol.asyncDispose]() {} },
    })
    const merchant = await service.tenant()
    const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
    const origin = 'https://shop.example'
    await setHolderPage(service.ctx, { by, page_origins: [origin] })
    const respond = async (...args: string[]) => {
      const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
      const page = `${service.address}/verify/${body.id}`
      const ran = await wallet('respond', page, '--json', ...args)
      return { ran, status: (await merchant.get(`/v1/verifications/${body.id}`)).body.status }
    }

    for (const channel of ['dc_api', 'annex_c'])
      expect(await respond('--channel', channel, '--origin', origin)).toEqual({
        ran: { status: 0, stdout: '{"http_status":200,"body":{}}\n', stderr: '' },
        status: 'completed',
      })
    const elsewhere = await respond('--channel', 'dc_api', '--origin', 'https://elsewhere.example')
    expect(JSON.parse(elsewhere.ran.stdout)).toMatchObject({
      http_status: 403,
      body: { error: { code: 'wrong_origin' } },
    })
    const faulty = await respond('--channel', 'annex_c', '--origin', origin, '--fault', 'document_second')
    expect([faulty.ran.status, faulty.status]).toEqual([0, 'failed'])
    const declined = await respond('--channel', 'annex_c', '--origin', origin, '--decline')
    expect(declined).toMatchObject({
      ran: { status: 1, stderr: expect.stringContaining('wallet.declined') },
      status: 'pending',
    })
  })

  test('fails if it cannot connect', async () => {
    const ran = await wallet('respond', 'openid4vp://?client_id=a&request_uri=http%3A%2F%2Flocalhost%3A1%2Fr')

    expect(ran).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining("Can't connect") })
  })

  test.each([
    [[], 'WALLET_URI is missing'],
    [['openid4vp://', '--fault', 'no_such'], 'wallet faults'],
    [['openid4vp://', '--persona', 'no_such'], 'wallet personas'],
    [['openid4vp://', '--with', 'passport'], 'photo_id'],
    [['openid4vp://', '--format', 'jwt'], 'sd-jwt or mdoc'],
    [['openid4vp://', '--channel', 'bluetooth'], 'dc_api or annex_c'],
    [['openid4vp://', '--channel', 'dc_api'], 'a URL of a verification'],
    [['openid4vp://', '--origin', 'https://shop.example'], '--origin needs --channel'],
    [
      ['https://v.example/verify/vs_1', '--channel', 'annex_c', '--origin', 'https://shop.example/'],
      'as a browser writes it',
    ],
  ])('exits with 2 and a hint for %j', async (args, hint) => {
    expect(await wallet('respond', ...args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(hint),
    })
  })
})

test.each([
  ['personas', 14, 'adult'],
  ['faults', 40, 'kb_nonce'],
])('wallet %s lists one per line, name first', async (noun, atLeast, name) => {
  const { status, stdout } = await runProgram(['wallet', noun], testEnvironment(database.url))
  const names = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ')[0])

  expect(status).toBe(0)
  expect(names.length).toBeGreaterThanOrEqual(atLeast)
  expect(names).toContain(name)
  expect(new Set(names).size).toBe(names.length)
})
