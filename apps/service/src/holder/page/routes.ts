import { HolderLanguage, routes, type Route } from '@vidimus/contract'
import { type Language, chooseLanguage, listLanguages, texts } from '@vidimus/holder-texts'
import { writeBrandStyle } from '@vidimus/tokens'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import {
  type Call,
  type ErrorPage,
  type HttpContext,
  acceptsHtml,
  createStaticHandler,
  endpoint,
  mount,
  mountFiles,
  mountStream,
} from '../../engine/http/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import { readCookie, writeCookie } from '../../engine/formats/index.ts'
import { addBrowserProof, browserProof, browserProof_seconds } from '../erasure/erasure-code.ts'
import { pageAssets } from './layout.ts'
import { getHolderVerification, isOpen } from './get-verification.ts'
import type { Browser } from './list-wallets.ts'
import { pageHeaders } from './page-headers.ts'
import { readWallets } from './read-wallets.ts'
import { cancelAsHolder } from '../../verifications/index.ts'
import { chargeStep } from '../../engine/scheduling/index.ts'
import { renderErrorPage, renderNeutralPage, renderOldCodePage } from './render-error.ts'
import { renderVerificationPage } from './render-page.ts'
import { phaseStreamer } from './stream-phases.ts'

/** Not part of the published API: a page for people. Every id is accepted, since a page says that there is no such verification. */
const showPage = {
  method: 'GET',
  path: '/verify/{id}',
  summary: "The holder's page",
  params: z.object({ id: z.string() }),
  query: HolderLanguage,
  success: { status: 200, body: z.string(), media: 'text/html; charset=utf-8' },
} as const satisfies Route

export type VerifyPageFolders = {
  /** Where the page's script and style were built. */
  page: string
  /** Where the web component was built. */
  component: string
}

/** The holder's page with what it loads, and the web component. A holder is waiting, so its routes are shed last under load. */
export function mountVerifyPage(
  app: FastifyInstance,
  http: HttpContext,
  ctx: Context,
  folders: VerifyPageFolders,
): void {
  const assets = pageAssets(folders.page)
  const wallets = readWallets(ctx.config)
  const showError = (request: FailedRequest, retryPath?: string) => {
    const language = languageOf(request)
    const { request_id } = request
    return {
      text: renderErrorPage(language, { request_id, retryPath }, assets()),
      headers: pageHeaders(language),
    }
  }
  // Only a browser that had the page open before there was a result gets the code to erase it.
  const rememberBrowser = (id: string, cookies: string | undefined) =>
    writeCookie(ctx.config, 'holder', {
      value: addBrowserProof(readCookie(ctx.config, 'holder', cookies), browserProof(ctx.keyring, id)),
      max_age_seconds: browserProof_seconds,
    })
  mount(
    app,
    http,
    endpoint(
      showPage,
      async ({ params: { id }, query, header }) => {
        const browser = readBrowser(header)
        const shown = await getHolderVerification(ctx, { id, lang: query.lang, wallets, browser })
        if (shown === undefined) {
          const language = chooseLanguage(query.lang, browser.acceptLanguage)
          return {
            status: 404,
            text: renderNeutralPage(language, assets()),
            headers: pageHeaders(language),
          }
        }
        const { colour } = shown.verification.merchant
        const colourStyle = colour === undefined ? undefined : writeBrandStyle(colour)
        const open = isOpen(shown.verification.phase)
        return {
          text: chargeStep(() => renderVerificationPage({ id, ...shown, colourStyle, assets: assets() })),
          headers: {
            ...pageHeaders(shown.language, colourStyle, { withForm: open }),
            ...(open && shown.takesErasures && { 'set-cookie': rememberBrowser(id, header('cookie')) }),
          },
        }
      },
      { shedLast: true, errorPage: (request) => showError(request) },
    ),
  )
  mount(
    app,
    http,
    endpoint(
      routes.getHolderVerification,
      async ({ params: { id }, query, header }) => {
        const shown = await getHolderVerification(ctx, {
          id,
          lang: query.lang,
          wallets,
          browser: readBrowser(header),
          origin: header('origin'),
        })
        if (shown === undefined) throw notFound('session_not_found')
        return { body: shown.verification, headers: { 'cache-control': 'no-store', vary: 'Origin' } }
      },
      { shedLast: true },
    ),
  )
  mount(
    app,
    http,
    endpoint(
      routes.cancelAsHolder,
      async ({ params: { id }, query: { lang }, header }) => {
        const headers = { 'cache-control': 'no-store' }
        if (!acceptsHtml(header('accept'))) return { body: await cancelAsHolder(ctx, id), headers }
        // The form of the page. Whatever became of the verification, the page shows it.
        await cancelAsHolder(ctx, id).catch((error: unknown) => {
          if (!(error instanceof Refusal) || error.code !== 'session_already_responded') throw error
        })
        const query = lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`
        return { status: 303, text: '', headers: { ...headers, location: `/verify/${id}${query}` } }
      },
      {
        shedLast: true,
        errorPage(request) {
          const [pagePath] = request.url.split('/cancel')
          return acceptsHtml(request.accept) ? showError(request, pagePath) : undefined
        },
      },
    ),
  )
  const streamPhases = phaseStreamer(ctx)
  mountStream(app, http, {
    route: routes.streamHolderPhases,
    serve: ({ params: { id }, query, address, write, ended }) =>
      streamPhases({ id, withCode: query.code === 'moving', address, write, ended }),
    shedLast: true,
  })
  mountLanguages(app)
  mountFiles(app, { path: '/verify/assets', folder: folders.page, pattern: '*.{js,css}', anyOrigin: false })
  mountFiles(app, {
    path: '/component',
    folder: folders.component,
    pattern: 'vidimus-verify-*.js',
    anyOrigin: true,
  })
}

/** What a person sees whose camera opened a moving code in a browser, once it is too old. Wallets get the error as JSON. */
export function oldCodePage(pageFolder: string): ErrorPage {
  const assets = pageAssets(pageFolder)
  return (request) => {
    if (request.error.code !== 'session_expired' || !acceptsHtml(request.accept)) return undefined
    const language = languageOf(request)
    return { text: renderOldCodePage(language, assets()), headers: pageHeaders(language) }
  }
}

type FailedRequest = Parameters<ErrorPage>[0]

function languageOf({ url, acceptLanguage }: FailedRequest): Language {
  const lang = new URLSearchParams(url.split('?')[1]).get('lang') ?? undefined
  return chooseLanguage(lang, acceptLanguage)
}

function readBrowser(header: Call['header']): Browser {
  return { userAgent: header('user-agent'), acceptLanguage: header('accept-language') }
}

/** The component's texts, one file for each language. */
function mountLanguages(app: FastifyInstance): void {
  for (const language of listLanguages())
    app.get(
      `/verify/languages/${language}.json`,
      { config: { anyOrigin: true } },
      createStaticHandler({
        type: 'application/json; charset=utf-8',
        content: JSON.stringify(texts(language).component),
        headers: {
          'cache-control': 'public, max-age=300',
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        },
      }),
    )
}
