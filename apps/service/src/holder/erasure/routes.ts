import { HolderLanguage, type Route } from '@vidimus/contract'
import { type Language, chooseLanguage } from '@vidimus/holder-texts'
import { z } from 'zod'
import { readCookie } from '../../engine/formats/index.ts'
import {
  type Call,
  type Endpoint,
  type EndpointResponse,
  type ErrorPage,
  endpoint,
} from '../../engine/http/index.ts'
import { chargeStep } from '../../engine/scheduling/index.ts'
import type { VerificationContext } from '../../verifications/index.ts'
import { pageAssets } from '../page/layout.ts'
import { pageHeaders } from '../page/page-headers.ts'
import { renderErrorPage, renderNeutralPage } from '../page/render-error.ts'
import { askForErasure, findErasingTenant } from './ask-for-erasure.ts'
import { describeCard } from './describe-card.ts'
import { type ErasurePage, purposeOf, renderReply, renderBusy, renderForm } from './pages.ts'
import { isDay, offersProof, presentAgain } from './present-again.ts'
import { renderCard, renderSavedCard } from './render-card.ts'

const maxCode_characters = 200
const code = z.string().trim().max(maxCode_characters).catch('')
const page = { status: 200, body: z.string(), media: 'text/html; charset=utf-8' } as const
const params = z.object({ tenant: z.string() })

/** Not part of the published API: pages for people. Every address is accepted, since a page says that there is nothing. */
const routes = {
  showErasure: {
    method: 'GET',
    path: '/erase/{tenant}',
    summary: 'Where holders ask a merchant for an erasure',
    params,
    query: z.object({ ...HolderLanguage.shape, code }),
    success: page,
  },
  askForErasure: {
    method: 'POST',
    path: '/erase/{tenant}',
    summary: 'A holder asks for an erasure with a code, or with a wallet and about a day',
    params,
    query: HolderLanguage,
    form: z.object({ code, day: z.string().max(maxCode_characters).optional().catch('') }),
    success: page,
  },
  showCard: {
    method: 'GET',
    path: '/verify/{id}/card',
    summary: 'What was shared, with whom, and the code to have it deleted',
    params: z.object({ id: z.string() }),
    query: z.object({ ...HolderLanguage.shape, save: z.string().optional().catch(undefined) }),
    success: page,
  },
} as const satisfies Record<string, Route>

/** The pages on which holders keep and use the code of a verification. `pageFolder` is where the holder's page was built. */
export function erasureRoutes(ctx: VerificationContext, pageFolder: string): Endpoint[] {
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
      routes.showErasure,
      async (call) => {
        const visit = await readVisit(call)
        if ('text' in visit) return visit
        return renderOffer(visit, call.query.code)
      },
      options,
    ),
    endpoint(
      routes.askForErasure,
      async (call) => {
        const visit = await readVisit(call)
        if ('text' in visit) return visit
        const { tenant } = visit
        const { day } = call.body
        if (day !== undefined) return startVerification(visit, call, day)
        const taken = await askForErasure(ctx, { tenant, code: call.body.code, address: call.address })
        if (taken === undefined) return { ...renderBusy(visit), status: 429 }
        return chargeStep(() => renderReply(visit, taken))
      },
      { ...options, createsVerification: true },
    ),
    endpoint(
      routes.showCard,
      async ({ params: { id }, query, header }) => {
        const browser = { userAgent: header('user-agent'), acceptLanguage: header('accept-language') }
        const proofs = readCookie(ctx.config, 'holder', header('cookie'))
        const card = await describeCard(ctx, { id, lang: query.lang, browser, proofs })
        if (card === undefined) return neutral(chooseLanguage(query.lang, browser.acceptLanguage))
        return query.save === undefined ? renderCard(card, assets()) : renderSavedCard(card)
      },
      { shedLast: true, errorPage },
    ),
  ]

  async function readVisit(
    call: Pick<Call<(typeof routes)['askForErasure']>, 'params' | 'query' | 'header'>,
  ) {
    const acceptLanguage = call.header('accept-language')
    const tenant = await findErasingTenant(ctx, call.params.tenant)
    if (tenant === undefined) return neutral(chooseLanguage(call.query.lang, acceptLanguage))
    return { tenant, lang: call.query.lang, acceptLanguage, assets: assets() } satisfies ErasurePage
  }

  async function renderOffer(visit: ErasurePage, entered: string) {
    const withProof = await offersProof(ctx, visit.tenant)
    return chargeStep(() => renderForm(visit, { code: entered, withProof }))
  }

  async function startVerification(
    visit: ErasurePage,
    { address, header }: Pick<Call, 'address' | 'header'>,
    day: string,
  ): Promise<EndpointResponse<string>> {
    // Another site may not spend the tenant's quota through the browsers of its visitors. They can still press the button.
    if (!isDay(day) || header('sec-fetch-site') === 'cross-site')
      return { ...(await renderOffer(visit, '')), status: 400 }
    const verification_id = await presentAgain(ctx, {
      tenant: visit.tenant,
      day,
      purpose: purposeOf(visit),
      address,
    })
    if (verification_id === undefined) return { ...renderBusy(visit), status: 429 }
    const search = visit.lang === undefined ? '' : `?${new URLSearchParams({ lang: visit.lang }).toString()}`
    const headers = { location: `/verify/${verification_id}${search}`, 'cache-control': 'no-store' }
    return { status: 303, text: '', headers, verification_id }
  }

  /** It does not reveal whether there ever was one. */
  function neutral(language: Language) {
    const text = renderNeutralPage(language, assets())
    return { status: 404, text, headers: pageHeaders(language) } as const
  }
}
