import { setTimeout as sleep } from 'node:timers/promises'
import {
  findPersona,
  respond,
  type Format,
  type Issuer,
  type RespondResult,
  type Wallet,
} from '@vidimus/sandbox'
import type { Context } from '../src/context.ts'
import { openSandboxIssuer } from '../src/trust/sandbox/open-issuer.ts'

export type WalletOptions = {
  persona?: string
  /** The issuer of the credentials. By default the service's sandbox. */
  issuer?: Issuer
  /** Presents only credentials of this format. */
  format?: Format
  alterations?: Wallet['alterations']
  /** Receives the form instead of the service. */
  onPost?: (form: string) => void
  /** Called with every response of the service. */
  onResponse?: (response: Response) => void
  /** Overrides the persona's behaviour. */
  behaviour?: 'answers' | 'declines' | 'answers_twice'
}

/** A sandbox wallet, over real HTTP, that the service's test environment trusts. `address` is where the service listens. */
export async function openWallet(
  ctx: Context,
  address: string | (() => string),
  options: WalletOptions = {},
) {
  const persona = findPersona(options.persona ?? 'adult')
  if (persona === undefined) throw new Error(`there is no persona ${options.persona}`)
  const now = new Date()
  const alterations = options.alterations ?? persona.alterations
  const wallet: Wallet = {
    issuer: options.issuer ?? (await openSandboxIssuer(ctx)),
    credentials: persona
      .credentials(now)
      .filter(({ format }) => options.format === undefined || format === options.format),
    ...(alterations !== undefined && { alterations }),
  }
  const behaviour = options.behaviour ?? persona.behaviour
  return {
    wallet,
    respond: (wallet_uri: string): Promise<RespondResult> =>
      respond({
        wallet,
        wallet_uri,
        // The service uses its public URL; the test knows where it really listens.
        fetch: async (url, init) => {
          if (options.onPost !== undefined && url.includes('/wallet/response/')) {
            options.onPost(String(init?.body))
            return new Response('{}')
          }
          const serviceAddress = typeof address === 'string' ? address : address()
          const response = await fetch(url.replace(ctx.config.BASE_URL, serviceAddress), init)
          options.onResponse?.(response)
          return response
        },
        now: () => new Date(),
        sleep: (ms) => sleep(ms),
        ...(behaviour !== undefined && { behaviour }),
      }),
  }
}
