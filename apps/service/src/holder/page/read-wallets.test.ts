import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../../../test/service.ts'
import { maxWallets, readWallets } from './read-wallets.ts'

const folder = mkdtempSync(join(tmpdir(), 'wallets-'))
const file = join(folder, 'wallets.json')
afterAll(() => rmSync(folder, { recursive: true }))

const write = (wallets: unknown) => {
  writeFileSync(file, JSON.stringify(wallets))
  return { WALLETS_FILE: file }
}
const wallet = { name: 'Example Wallet', countries: ['AT'], link: 'https://wallet.example/open' }

test('the shipped table is valid, and every wallet has its name once', () => {
  const names = readWallets({}).map(({ name }) => name)
  expect(names).toContain('NL Wallet')
  expect(new Set(names).size).toBe(names.length)
})

test('a file of the operator replaces it', () => {
  const stores = {
    app_store: 'https://apps.apple.com/app/id1',
    play_store: 'https://play.google.com/store/apps/details?id=example',
  }
  const wallets = [
    { ...wallet, ...stores, test_only: false },
    { ...wallet, link: 'example-wallet', test_only: true },
  ]
  expect(readWallets(write(wallets))).toEqual(wallets)
})

test.each([
  ['0.link', { link: 'javascript' }],
  ['0.link', { link: 'https' }],
  ['0.link', { link: 'http://wallet.example/open' }],
  ['0.link', { link: 'https://wallet.example/open?a=b' }],
  ['0.link', { link: 'javascript:alert(1)' }],
  ['0.link', { link: '' }],
  ['0.countries.0', { countries: ['Austria'] }],
  ['0.countries', { countries: 'AT' }],
  ['0.app_store', { app_store: 'https://apps.apple.com.evil.example/' }],
  ['0.app_store', { app_store: 'javascript:alert(1)' }],
  ['0.play_store', { play_store: 'http://play.google.com/' }],
  ['0.site', { site: 'http://wallet.example/' }],
  ['0.site', { site: 'javascript:alert(1)' }],
  ['0.name', { name: '' }],
  ['0.name', { name: 'a'.repeat(61) }],
  ['0', { colour: 'red' }],
])('a mistake names the file and the member: %s %j', (member, change) => {
  const config = write([{ ...wallet, ...change }])
  expect(() => readWallets(config)).toThrow(`WALLETS_FILE ${file}: ${member}: `)
})

test('the number of wallets is bounded', () => {
  expect(readWallets(write(Array.from({ length: maxWallets }, () => wallet)))).toHaveLength(maxWallets)
  expect(() => readWallets(write(Array.from({ length: maxWallets + 1 }, () => wallet)))).toThrow(file)
})

test('a mistake is reported when the service starts', async () => {
  const environment = write([{ ...wallet, link: 'data' }])
  await expect(startService({ environment })).rejects.toThrow('0.link')
})

test('a verification has the wallets with their links; those for developers only in the test environment', async () => {
  const environment = write([
    { ...wallet, app_store: 'https://apps.apple.com/app/id1' },
    { name: 'Developer Wallet', countries: [], link: 'example-wallet', test_only: true },
  ])
  await using service = await startService({ environment })
  const merchant = await service.tenant()
  const live = await merchant.as({ environment: 'live' })
  const readFor = async ({ post }: Pick<typeof live, 'post'>) => {
    const { id } = (await post('/v1/verifications', { template: 'age_over_18' })).body
    return (await service.anonymous.get(`/verify/${id}/session`)).body
  }

  const { wallets, wallet_uri } = await readFor(merchant)
  const parameters = (wallet_uri as string).replace(/^[^?]*/, '')
  const named = {
    name: 'Example Wallet',
    countries: ['AT'],
    uri: `https://wallet.example/open${parameters}`,
    stores: [{ name: 'App Store', uri: 'https://apps.apple.com/app/id1' }],
  }
  expect(wallets).toEqual([named, { name: 'Developer Wallet', uri: `example-wallet://${parameters}` }])
  expect((await readFor(live)).wallets.map(({ name }: { name: string }) => name)).toEqual(['Example Wallet'])
})
