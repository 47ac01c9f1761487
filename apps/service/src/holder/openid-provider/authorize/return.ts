import { hash, timingSafeEqual } from 'node:crypto'
import { type Language, texts } from '@vidimus/holder-texts'
import { Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import { escapeHtml, readCookie } from '../../../engine/formats/index.ts'
import {
  type LockedResult,
  hashResponseCode,
  lockResult,
  spendReturnCode,
} from '../../../verifications/index.ts'
import { type PageAssets, renderLayout, toHtml } from '../../page/layout.ts'
import { pageHeaders } from '../../page/page-headers.ts'
import { toPrincipal } from '../client-principal.ts'
import { findClient } from '../clients/authenticate-client.ts'
import type { ClientRow } from '../clients/store.ts'
import type { Issuer } from '../issuer/issuer.ts'
import { hashBrowser, makeSecret } from '../secrets.ts'
import { type AuthorizationRow, findAuthorization, markReturned } from '../store.ts'
import { deriveSubject } from '../token/derive-subject.ts'
import type { BrowserStep } from './authorize.ts'
import { type SiteForm, buildSiteResponse } from './build-site-response.ts'
import type { ResponseMode } from './read-request.ts'

type ReturnCall = {
  id: string
  cookies: string | undefined
  /** From the fragment of the address that the wallet opened. */
  response_code?: string | undefined
}

/** `fragment`: only a script can read what the wallet's redirect brought. */
type ReturnStep = BrowserStep | { needs: 'fragment'; response_mode: ResponseMode }

const unknownReturn = {
  problem: 'This browser did not start the verification, or it is over. Start again at the site.',
}

/**
 * Sends a browser that comes from the wallet or from our page back to the site, with a code if the verification was completed. Only the
 * browser that started may do this, and where a wallet redirected a browser, only that one: with what it brought. The site is not told
 * why there is no result.
 */
export async function returnToSite(ctx: Context, issuer: Issuer, call: ReturnCall): Promise<ReturnStep> {
  const found = await findOwnAuthorization(ctx, issuer, call)
  if (found === undefined) return unknownReturn
  const { authorization, client } = found
  if (call.response_code !== undefined && !(await spendCode(ctx, found, call.response_code)))
    return unknownReturn

  return ctx.db.transaction<ReturnStep>(async (tx) => {
    const { verification_id, response_mode, state } = authorization
    const result = await lockResult(tx, toPrincipal(client), verification_id)
    const denied = () =>
      buildSiteResponse(authorization, {
        error: 'access_denied',
        error_description: 'The verification was not completed.',
        state,
        iss: issuer.url,
      })
    // Completed, or held back and looking open: only its code says that a browser is the one that the wallet redirected.
    if (result !== undefined && isCodeMissing(result, call)) return { needs: 'fragment', response_mode }
    if (result?.status === 'pending') return { location: `${ctx.config.BASE_URL}/verify/${verification_id}` }
    if (result?.status !== 'completed' || result.claims === null) return denied()
    const subject = await deriveSubject(ctx, issuer, { client, verification_id, result })
    if (subject === undefined) return denied()
    if (!(await markReturned(tx, authorization.id))) return unknownReturn
    const code = makeSecret(ctx.keyring, 'openid code', authorization.id)
    return buildSiteResponse(authorization, { code, state, iss: issuer.url })
  })
}

function isCodeMissing({ status, code_hash }: LockedResult, { response_code }: ReturnCall): boolean {
  if (code_hash === null || status === 'failed' || status === 'expired') return false
  return response_code === undefined || !hashResponseCode(response_code).equals(code_hash)
}

type OwnAuthorization = { authorization: AuthorizationRow; client: ClientRow }

/** The authorization that this very browser started. */
async function findOwnAuthorization(
  { db, keyring, config }: Context,
  { tenant_id }: Issuer,
  { id, cookies }: ReturnCall,
): Promise<OwnAuthorization | undefined> {
  const browser = readCookie(config, 'browser', cookies)
  const authorization = browser === undefined ? undefined : await findAuthorization(db, { tenant_id, id })
  if (browser === undefined || authorization === undefined) return undefined
  if (!timingSafeEqual(authorization.browser_hash, hashBrowser(keyring, browser))) return undefined
  const client = await findClient(db, authorization)
  return client && { authorization, client }
}

/** False if the code is wrong. A code that was spent here before is not wrong: the browser has reloaded the page. */
async function spendCode(
  ctx: Context,
  { authorization, client }: OwnAuthorization,
  response_code: string,
): Promise<boolean> {
  if (authorization.returned) return true
  try {
    await spendReturnCode(ctx, toPrincipal(client), { id: authorization.verification_id, response_code })
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_response_code') return false
    throw error
  }
}

type FormPostPage = {
  language: Language
  offered: readonly Language[] | undefined
  assets: PageAssets | undefined
  form: SiteForm
  query: URLSearchParams
}

/** The button goes, because a second click would use the code twice. */
const submitScript = `
const [form] = document.forms
form.querySelector('button').remove()
form.submit()
`

/** A page that posts the response to the site (OAuth 2.0 Form Post Response Mode §2), by a button where there is no script. */
export function renderFormPost({ language, offered, assets, form, query }: FormPostPage): {
  text: string
  headers: Record<string, string>
} {
  const { component, page } = texts(language)
  const inputs = Object.entries(form.fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">\n`,
  )
  const text = renderLayout({
    language,
    offered,
    title: component.loading,
    single: true,
    assets,
    query,
    body: `<main class="frame"><section class="state">
<h1>${toHtml(component.loading)}</h1>
<form method="post" action="${escapeHtml(form.action)}">
${inputs.join('')}<button class="button primary">${toHtml(page.continue)}</button>
</form>
</section></main>
<script type="module">${submitScript}</script>`,
  })
  return { text, headers: scriptHeaders(submitScript, { language, postsForm: true }) }
}

/**
 * The headers of a page with one inline script, which the policy names by its hash. A page that posts a form to a site has no
 * `form-action`: browsers apply it also to where the site redirects afterwards, which only the site knows. And it tells the site which
 * origin posts, since many check that.
 */
export function scriptHeaders(
  script: string,
  { language, postsForm }: { language: Language; postsForm: boolean },
): Record<string, string> {
  const headers = pageHeaders(language)
  const policy = (headers['content-security-policy'] ?? '').replace(
    "script-src 'self'",
    `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
  )
  if (!postsForm) return { ...headers, 'content-security-policy': policy }
  return {
    ...headers,
    'content-security-policy': policy.replace("; form-action 'none'", ''),
    'referrer-policy': 'strict-origin',
  }
}
