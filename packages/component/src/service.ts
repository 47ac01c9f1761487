import type { HolderSession } from './holder-session.ts'
import type { DcRequest } from './channels/digital-credentials.ts'

/** The service's routes for one session. All are open to other origins, and none uses cookies. */
export type SessionService = {
  /** The hosted page of the session. */
  page_url: string
  /** `moving`: the QR code comes with the events. */
  eventsUrl: (moving: boolean) => string
  /** Undefined if there is no such session. */
  readSession: () => Promise<HolderSession | undefined>
  readDcRequests: () => Promise<DcRequest[]>
  postDcAnswer: (form: Record<string, string>) => Promise<PostedAnswer>
  /** Undefined if a wallet has responded before. */
  cancel: () => Promise<{ return_url?: string } | undefined>
  readTexts: (lang: string) => Promise<unknown>
}

type PostedAnswer = { status: number; redirect_uri?: string }

const timeout_ms = 15_000

export function connectSession({
  base_url,
  id,
  lang,
  signal,
}: {
  base_url: string
  id: string
  lang: string
  signal: AbortSignal
}): SessionService {
  const verify = `${base_url}/verify/${encodeURIComponent(id)}`
  const dc = `${base_url}/wallet/dc/${encodeURIComponent(id)}`
  const send = (url: string, init?: RequestInit) =>
    fetch(url, {
      ...init,
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]),
    })
  return {
    page_url: verify,
    eventsUrl: (moving) => `${verify}/events${moving ? '?code=moving' : ''}`,
    async readSession() {
      const response = await send(
        `${verify}/session${lang === '' ? '' : `?lang=${encodeURIComponent(lang)}`}`,
      )
      if (response.status === 404) return undefined
      return readJson<HolderSession>(response)
    },
    async readDcRequests() {
      return (await readJson<{ requests: DcRequest[] }>(await send(dc))).requests
    },
    async postDcAnswer(form) {
      // A form needs no preflight request.
      const response = await send(dc, { method: 'POST', body: new URLSearchParams(form) })
      if (!response.ok) return { status: response.status }
      return { ...(await readJson<{ redirect_uri?: string }>(response)), status: response.status }
    },
    async cancel() {
      const response = await send(`${verify}/cancel`, { method: 'POST' })
      if (response.status === 409 || response.status === 404) return undefined
      return readJson<{ return_url?: string }>(response)
    },
    async readTexts(language) {
      return readJson(await send(`${base_url}/verify/languages/${language}.json`))
    },
  }
}

/** The service's own responses are taken as its types say. */
async function readJson<Body>(response: Response): Promise<Body> {
  if (!response.ok) throw new Error(`${response.url} responded with ${response.status}.`)
  return (await response.json()) as Body
}
