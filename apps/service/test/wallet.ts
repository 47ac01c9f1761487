import { setTimeout as sleep } from 'node:timers/promises'
import {
  findPersona,
  respond,
  respondAsBrowser,
  type AnnexCReading,
  type DcApiChannel,
  type DocumentName,
  type Fetch,
  type Format,
  type Issuer,
  type RegistrationPolicy,
  type RespondResult,
  type Wallet,
  type WalletEcosystem,
} from '@vidimus/sandbox'
import type { Context } from '../src/engine/context.ts'
import { getHolderPage } from '../src/accounts/tenants/holder-page.ts'
import { openSandboxIssuer } from '../src/trust/sandbox/open-sandbox.ts'
import { ageAppUri } from '../src/verifications/wallet/age-app.ts'
import { findOpenVerification } from '../src/verifications/wallet/find-open-verification.ts'
import { screenUri, walletUri } from '../src/verifications/wallet/uris.ts'

export type WalletOptions = {
  persona?: string
  /** The issuer of the credentials. By default the service's sandbox. */
  issuer?: Issuer
  /** Presents only credentials of this format. */
  format?: Format
  /** Has only these documents. */
  documents?: readonly DocumentName[]
  alterations?: Wallet['alterations']
  /** Receives the form instead of the service. */
  onPost?: (form: string) => void
  /** Called with every response of the service. */
  onResponse?: (response: Response) => void
  /** Sends the requests to the service. By default `fetch`. */
  send?: (url: string, init: RequestInit) => Promise<Response>
  /** Whether and how the wallet checks registration certificates. */
  registration?: RegistrationPolicy
  /** How the wallet reads a DeviceRequest. */
  annex_c_reading?: AnnexCReading
  /** Whose wallet it is, and the authorities of verifiers that it trusts. */
  ecosystem?: WalletEcosystem
  verifier_anchors?: readonly Uint8Array[]
  /** The wallet's clock. By default the true time. */
  now?: () => Date
  /** Overrides the persona's behaviour. */
  behaviour?: 'responds' | 'declines' | 'responds_twice'
}

/** A sandbox wallet, over real HTTP, that the service's test environment trusts. `address` is where the service listens. */
export async function openWallet(
  ctx: Context,
  address: string | (() => string),
  options: WalletOptions = {},
) {
  const persona = findPersona(options.persona ?? 'adult')
  if (persona === undefined) throw new Error(`there is no persona ${options.persona}`)
  const now = options.now ?? (() => new Date())
  const alterations = options.alterations ?? persona.alterations
  const wallet: Wallet = {
    issuer: options.issuer ?? (await openSandboxIssuer(ctx)),
    credentials: persona
      .credentials(now())
      .filter(
        ({ format, document }) =>
          (options.format === undefined || format === options.format) &&
          (options.documents === undefined || options.documents.includes(document)),
      ),
    ...(alterations !== undefined && { alterations }),
  }
  const behaviour = options.behaviour ?? persona.behaviour
  const serviceAddress = () => (typeof address === 'string' ? address : address())
  const walletOptions = {
    wallet,
    // The service uses its public URL; the test knows where it really listens.
    fetch: async (url: string, init: Parameters<Fetch>[1]) => {
      if (
        options.onPost !== undefined &&
        init.method === 'POST' &&
        !/\/wallet\/(?:request|code)\//.test(url)
      ) {
        options.onPost(init.body ?? '')
        return new Response('{}')
      }
      const send = options.send ?? fetch
      const response = await send(url.replace(ctx.config.BASE_URL, serviceAddress()), init)
      options.onResponse?.(response)
      return response
    },
    now,
    sleep: (ms: number) => sleep(ms),
    ...(behaviour !== undefined && { behaviour }),
    ...(options.registration !== undefined && { registration: options.registration }),
    annex_c_reading: options.annex_c_reading,
    ecosystem: options.ecosystem,
    ...(options.verifier_anchors && { verifier_anchors: options.verifier_anchors }),
  }
  const { BASE_URL } = ctx.config
  const respondToLink = (wallet_uri: string): Promise<RespondResult> =>
    respond({ ...walletOptions, wallet_uri })
  const respondInBrowser = ({ id, ...page }: InBrowser): Promise<RespondResult> =>
    respondAsBrowser({ ...walletOptions, ...page, dc_uri: `${BASE_URL}/wallet/dc/${id}` })
  return {
    wallet,
    /** Responds to an `openid4vp://` or `av://` link. */
    respond: respondToLink,
    /** Responds in a browser, on a page of this origin that uses the Digital Credentials API. */
    respondInBrowser,
    /** Responds over any channel that the page of a verification offers. By default, it is the service's own page. */
    async respondOver(
      channel: HolderChannel,
      id: string,
      origin = new URL(BASE_URL).origin,
    ): Promise<RespondResult> {
      return channel === 'dc_api' || channel === 'annex_c'
        ? respondInBrowser({ id, origin, channel })
        : respondToLink(await findLink(ctx, id, channel))
    },
  }
}

export type InBrowser = { id: string; origin: string; channel: DcApiChannel }

/** The channels over which the holder's page lets a wallet respond. */
export const holderChannels = [
  'redirect',
  'screen',
  'age_app',
  'age_app_screen',
  'dc_api',
  'annex_c',
] as const
export type HolderChannel = (typeof holderChannels)[number]

/** The link that the holder's page shows for this channel. */
async function findLink(
  ctx: Context,
  id: string,
  channel: Exclude<HolderChannel, DcApiChannel>,
): Promise<string> {
  const verification = await findOpenVerification(ctx, id)
  const { BASE_URL } = ctx.config
  if (channel === 'redirect') return walletUri(BASE_URL, verification)
  if (channel === 'screen') return screenUri(BASE_URL, verification)
  const page = await getHolderPage(ctx, verification.tenant_id)
  const link = ageAppUri(ctx, verification, { ...page, forget_on_delivery: false }, channel)
  if (link === undefined) throw new Error('the tenant or the query does not allow the age app')
  return link
}
