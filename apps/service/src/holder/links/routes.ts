import { HolderLanguage, LinkRef, type Route } from '@vidimus/contract'
import { chooseLanguage } from '@vidimus/holder-texts'
import { z } from 'zod'
import {
  type Call,
  type Endpoint,
  type EndpointResponse,
  type ErrorPage,
  endpoint,
} from '../../engine/http/index.ts'
import { readCookie, writeCookie } from '../../engine/formats/index.ts'
import { chargeStep } from '../../engine/scheduling/index.ts'
import type { VerificationContext } from '../../verifications/index.ts'
import { type PageAssets, pageAssets } from '../page/layout.ts'
import { pageHeaders } from '../page/page-headers.ts'
import { renderErrorPage, renderNeutralPage } from '../page/render-error.ts'
import { renderLink, renderLinkProblem } from './pages.ts'
import { type LinkProblem, openLink, showLink } from './visit-link.ts'

const params = z.object({ code: z.string() })
const query = z.object({ ...HolderLanguage.shape, ref: LinkRef })
const page = { status: 200, body: z.string(), media: 'text/html; charset=utf-8' } as const

/** Not part of the published API: a page for people. Every code is accepted, since a page says that there is no such link. */
const routes = {
  showLink: {
    method: 'GET',
    path: '/v/{code}',
    summary: 'Who asks with a verification link, and why',
    params,
    query,
    success: page,
  },
  openLink: {
    method: 'POST',
    path: '/v/{code}',
    summary: 'Starts the verification of a link',
    params,
    query,
    success: page,
  },
} as const satisfies Record<string, Route>

const statuses: Record<LinkProblem, 410 | 429> = { ended: 410, used: 410, full: 429, busy: 429 }

/** The page of a verification link. `pageFolder` is where the holder's page was built, whose style it shares. */
export function linkRoutes(ctx: VerificationContext, pageFolder: string): Endpoint[] {
  const assets = pageAssets(pageFolder)
  const errorPage: ErrorPage = ({ url, acceptLanguage, request_id }) => {
    const [path, given] = url.split('?')
    const language = chooseLanguage(new URLSearchParams(given).get('lang') ?? undefined, acceptLanguage)
    return {
      text: renderErrorPage(language, { request_id, retryPath: path }, assets()),
      headers: pageHeaders(language),
    }
  }
  const options = { limitedByAddress: true, shedLast: true, errorPage }
  return [
    endpoint(
      routes.showLink,
      async (call) => {
        const visit = await readVisit(call)
        if ('text' in visit) return visit
        const { problem } = visit
        if (problem !== undefined) return refuse(visit, problem, call.query)
        return chargeStep(() => renderLink(visit, { assets: assets(), query: keptQuery(call.query) }))
      },
      options,
    ),
    endpoint(
      routes.openLink,
      async (call) => {
        const { params: given, query: asked, header, address } = call
        // Another site may not spend the tenant's quota through the browsers of its visitors. They can still press the button.
        if (header('sec-fetch-site') === 'cross-site')
          return redirect(`/v/${encodeURIComponent(given.code)}${toSearch(asked)}`)
        const visit = await readVisit(call)
        if ('text' in visit) return visit
        const resumed = readCookie(ctx.config, 'link', header('cookie'))
        const { link } = visit
        const opened = await openLink(ctx, { link, ref: asked.ref, resumed, address })
        if ('problem' in opened) return refuse(visit, opened.problem, asked)
        const { verification_id, expires_in_seconds } = opened
        const cookie = { value: verification_id, max_age_seconds: expires_in_seconds }
        return {
          ...redirect(
            `/verify/${verification_id}${toSearch({ lang: asked.lang })}`,
            writeCookie(ctx.config, 'link', cookie),
          ),
          verification_id,
        }
      },
      { ...options, createsVerification: true },
    ),
  ]

  async function readVisit({ params: { code }, query: { lang }, header }: LinkCall) {
    const acceptLanguage = header('accept-language')
    const visit = await showLink(ctx, { code, lang, acceptLanguage })
    return visit ?? neutral(assets(), lang, acceptLanguage)
  }

  function refuse(
    visit: Parameters<typeof renderLinkProblem>[0],
    problem: LinkProblem,
    asked: LinkCall['query'],
  ): EndpointResponse<string> {
    const shown = renderLinkProblem(visit, problem, { assets: assets(), query: keptQuery(asked) })
    return { ...shown, status: statuses[problem] }
  }
}

type LinkCall = Pick<Call<(typeof routes)['showLink']>, 'params' | 'query' | 'header'>

/** For every code without a link. It does not reveal whether there ever was one. */
function neutral(
  assets: PageAssets | undefined,
  lang: string | undefined,
  acceptLanguage: string | undefined,
) {
  const language = chooseLanguage(lang, acceptLanguage)
  return { status: 404, text: renderNeutralPage(language, assets), headers: pageHeaders(language) } as const
}

/** What the links to other languages repeat. */
function keptQuery({ ref }: LinkCall['query']): URLSearchParams {
  return new URLSearchParams(ref === undefined ? {} : { ref })
}

function toSearch(given: Partial<LinkCall['query']>): string {
  const search = new URLSearchParams(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  ).toString()
  return search === '' ? '' : `?${search}`
}

function redirect(location: string, cookie?: string) {
  const headers = {
    location,
    'cache-control': 'no-store',
    ...(cookie !== undefined && { 'set-cookie': cookie }),
  }
  return { status: 303, text: '', headers } as const
}
