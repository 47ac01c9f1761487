import { X509Certificate } from 'node:crypto'
import { generateSigningKey, type DocumentName, type WalletEcosystem } from '@vidimus/sandbox'
import { independentHolders, independentIssuers } from '@vidimus/wallets'
import { afterAll, expect, test } from 'vitest'
import { queries } from '../../../../../packages/wallets/test/queries.ts'
import { createForPages } from '../../../test/dc-page.ts'
import { startService } from '../../../test/service.ts'
import { ecosystemRoots, newMerchantEverywhere } from '../../../test/trust/ecosystems.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { setHolderPage } from '../../accounts/tenants/holder-page.ts'
import { openSandboxIssuer } from '../../trust/sandbox/open-sandbox.ts'
import { findOpenVerification } from './find-open-verification.ts'
import { screenUri, walletUri } from './uris.ts'

// One merchant, one template, every wallet. `npx vitest run wallet-table` prints the table.

const shop = 'https://shop.example'
const service = await startService()
afterAll(() => service[Symbol.asyncDispose]())
const merchant = await newMerchantEverywhere(service)
const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
await setHolderPage(service.ctx, { by, age_app: true })

type Channel = 'link' | 'qr' | 'dc_api' | 'annex_c'
const channels = {
  link: 'link',
  qr: 'QR code',
  dc_api: 'Digital Credentials API',
  annex_c: 'Annex C',
} satisfies Record<Channel, string>

type Profile = {
  wallet: string
  /** Where its behaviour is published. */
  source: string
  /** Of the adult who has every document, or all of another persona. */
  documents: readonly DocumentName[] | { persona: string }
  ecosystem?: WalletEcosystem
  annex_c_reading?: WalletOptions['annex_c_reading']
  /** What a link to it begins with. */
  link?: string
  /** Why it has none of the other channels. */
  not: Partial<Record<Channel, string>>
}

const noRedirect = 'it registers no link'
const noBrowser = 'it does not register with the browser, as far as its source shows'
const sdJwtOnly = 'it has no mdoc'
const profiles: readonly Profile[] = [
  { wallet: 'EU reference wallet, Android', source: 'eudi-app-android-wallet-ui 5657268, eudi-lib-android-wallet-core 9f242b4', documents: ['pid', 'mdl'], link: 'haip-vp', annex_c_reading: 'every', not: {} },
  { wallet: 'EU reference wallet, iOS', source: 'eudi-app-ios-wallet-ui 5990db7, eudi-lib-ios-iso18013-data-model 809bba7', documents: ['pid', 'mdl'], link: 'eudi-openid4vp', not: { dc_api: 'iOS offers Annex C only' } },
  { wallet: 'EU age-verification app', source: 'av-doc-technical-specification 1.0.8', documents: ['av'], link: 'av', annex_c_reading: 'first', not: { dc_api: 'its profile has Annex C only' } },
  { wallet: 'Netherlands (NL Wallet)', source: 'nl-wallet 6299ff7', documents: { persona: 'dutch_pid' }, link: 'eu-eaap', not: { dc_api: noBrowser, annex_c: sdJwtOnly } },
  { wallet: 'Germany', source: 'PID Rulebook, German draft', documents: { persona: 'senior' }, link: 'eu-eaap', not: {} },
  { wallet: 'Italy (IT-Wallet)', source: 'eid-wallet-it-docs 1.5.0', documents: ['pid'], link: 'eu-eaap', not: { link: 'it wants its own profile (`iss`, `kid`, metadata of the federation)', qr: 'as its link', dc_api: noBrowser, annex_c: sdJwtOnly } },
  { wallet: 'Yivi', source: 'irmamobile 545', documents: ['pid'], link: 'openid4vp', not: { dc_api: noBrowser, annex_c: noBrowser } },
  { wallet: 'Multipaz', source: 'multipaz 06b7b7f', documents: ['mdl', 'photo_id'], link: 'openid4vp', annex_c_reading: 'use_cases', not: {} },
  { wallet: 'Apple Wallet', source: 'Apple, Verify with Wallet on the Web; IdentityDocumentServices', documents: ['mdl'], ecosystem: 'apple', not: { link: noRedirect, qr: noRedirect, dc_api: 'it reads Annex C only' } },
  { wallet: 'Google Wallet', source: 'Google, verifier registrar', documents: ['mdl'], ecosystem: 'google', not: { link: noRedirect, qr: noRedirect, annex_c: 'it reads `openid4vp-v1-signed` only' } },
  { wallet: 'a wallet that trusts the readers of one state', source: 'ISO/IEC 18013-5, OpenID4VP 1.0 §A.3.2.2', documents: ['mdl'], ecosystem: 'iso', not: { link: 'links are signed by the access certificate', qr: 'as its link' } },
] // prettier-ignore

test(
  'every wallet responds over each of its channels, or has none for a reason',
  { timeout: 180_000 },
  async () => {
    const rows: string[][] = []
    for (const profile of profiles) {
      const cells: string[] = []
      for (const channel of Object.keys(channels) as Channel[])
        cells.push(
          profile.not[channel] === undefined ? await run(profile, channel) : `– (${profile.not[channel]})`,
        )
      rows.push([profile.wallet, 're-enacted', ...cells, profile.source])
    }
    for (const { name, open } of independentHolders) {
      await using holder = await open({
        fetch: (url, init) =>
          fetch(
            String(url instanceof Request ? url.url : url).replace(
              service.ctx.config.BASE_URL,
              service.address,
            ),
            init,
          ),
        trustedRoots: [new X509Certificate(ecosystemRoots.eu.certificate).raw],
        insecure: true,
      })
      const cells: string[] = []
      for (const uri of [walletUri, screenUri]) {
        const issuer = await openSandboxIssuer(service.ctx)
        const [from] = independentIssuers
        if (from === undefined) throw new Error('there is no independent issuer')
        const key = generateSigningKey()
        const credential = await from.issue['dc+sd-jwt']({ issuer, holderKey: key, now: new Date() })
        const { id } = (await merchant.post('/v1/verifications', { query: queries['dc+sd-jwt'] })).body
        const link = uri(service.ctx.config.BASE_URL, await findOpenVerification(service.ctx, id))
        await holder.respond(link, { format: 'dc+sd-jwt', credential, key })
        cells.push(await outcomeOf(id))
      }
      const elsewhere = '– (a library without a browser; packages/wallets/src/dc-api.test.ts has its parts)'
      rows.push([name, 'run', ...cells, elsewhere, elsewhere, 'npm'])
    }
    expect(rows.flat().filter((cell) => cell.startsWith('no:'))).toEqual([])
    expect(rows.length).toBeGreaterThanOrEqual(12)
    process.stdout.write(`${describeTable(rows)}\n`)
  },
)

async function run(
  { documents, ecosystem = 'eu', annex_c_reading, link }: Profile,
  channel: Channel,
): Promise<string> {
  const wallet = await openWallet(service.ctx, service.address, {
    ...('persona' in documents ? documents : { documents }),
    ecosystem,
    ...(annex_c_reading && { annex_c_reading }),
    verifier_anchors: [ecosystemRoots[ecosystem].certificate],
  })
  const { id } = await createForPages({ service, merchant, page_origins: [shop] })
  const result =
    channel === 'dc_api' || channel === 'annex_c'
      ? await wallet.respondInBrowser({ id, origin: shop, channel })
      : link === 'av'
        ? await wallet.respondOver(channel === 'qr' ? 'age_app_screen' : 'age_app', id)
        : await wallet.respond(await linkTo(id, channel, link))
  return result.sent ? outcomeOf(id) : `no: ${result.violations.map(({ rule }) => rule).join(', ')}`
}

async function linkTo(id: string, channel: 'link' | 'qr', link: string | undefined): Promise<string> {
  const verification = await findOpenVerification(service.ctx, id)
  const { BASE_URL } = service.ctx.config
  return channel === 'qr' ? screenUri(BASE_URL, verification) : walletUri(BASE_URL, verification, link)
}

async function outcomeOf(id: string): Promise<string> {
  const { status, error } = (await merchant.get(`/v1/verifications/${id}`)).body
  return status === 'completed' ? 'yes' : `no: ${error?.code ?? status}`
}

/** Lines of equal columns, the reason of a dash in full. */
function describeTable(rows: readonly string[][]): string {
  const heading = ['wallet', 'how', ...Object.values(channels), 'source']
  return [heading, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
