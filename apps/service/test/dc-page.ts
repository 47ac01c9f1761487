import { hash } from 'node:crypto'
import { setHolderPage } from '../src/accounts/tenants/holder-page.ts'
import type { ApiResponse } from './caller.ts'
import type { Merchant, Service } from './service.ts'
import { openWallet, type InBrowser, type WalletOptions } from './wallet.ts'

export type DcPageOptions = { service: Service; merchant: Merchant; page_origins: string[]; body?: object }

/** A verification whose merchant allows these origins, and what pages do with it. */
export async function createForPages({ service, merchant, page_origins, body }: DcPageOptions) {
  await setHolderPage(service.ctx, { by: { kind: 'operator', tenant_id: merchant.tenant_id }, page_origins })
  const created = (await merchant.post('/v1/verifications', { template: 'age_over_18', ...body })).body
  const id: string = created.id
  const path = `/wallet/dc/${id}`
  return {
    id,
    path,
    wallet_uri: created.wallet_uri as string,
    read: async () => (await merchant.get(`/v1/verifications/${id}`)).body,
    /** Without an origin, as a browser does it within one origin. */
    getRequests: (origin?: string) =>
      service.anonymous.request('GET', path, { headers: originHeader(origin) }),
    post: (form: string, origin?: string) => postForm(service, path, form, origin),
    /** Responds with a wallet in a browser. */
    respond: async (page: Omit<InBrowser, 'id'>, options: WalletOptions = {}) => {
      const wallet = await openWallet(service.ctx, service.address, options)
      const responded = await wallet.respondInBrowser({ id, ...page })
      if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
      return { status: responded.http_status, body: JSON.parse(responded.body) }
    },
    /** The form that a page would post. */
    captureForm: async (page: Omit<InBrowser, 'id'>, options: WalletOptions = {}): Promise<string> => {
      const { onPost, posted } = capture()
      const wallet = await openWallet(service.ctx, service.address, { ...options, onPost })
      await wallet.respondInBrowser({ id, ...page })
      return posted()
    },
  }
}

/** The origin of an Android app, as EU wallets compute it: from the first certificate of its signing history. */
export function appOrigin(certificate: Uint8Array): string {
  return `android:apk-key-hash:${hash('sha256', certificate, 'base64url')}`
}

/** The form that a wallet would post after it has read this link. */
export async function captureLinkForm(service: Service, link: string): Promise<string> {
  const { onPost, posted } = capture()
  const wallet = await openWallet(service.ctx, service.address, { onPost })
  await wallet.respond(link)
  return posted()
}

export async function postForm(
  service: Service,
  path: string,
  form: string,
  origin?: string,
): Promise<ApiResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...originHeader(origin) }
  return service.anonymous.request('POST', path, { headers, raw: form })
}

function originHeader(origin: string | undefined): Record<string, string> {
  return origin === undefined ? {} : { origin }
}

function capture() {
  const forms: string[] = []
  return {
    onPost: (form: string) => void forms.push(form),
    posted: () => {
      const [form] = forms
      if (form === undefined) throw new Error('the wallet posted nothing')
      return form
    },
  }
}
