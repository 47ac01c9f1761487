import { type Language, texts } from '@vidimus/holder-texts'
import { writeBrandStyle } from '@vidimus/tokens'
import { type PageAssets, renderLayout, toHtml, vidimus } from '../page/layout.ts'
import { pageHeaders } from '../page/page-headers.ts'
import { renderRequest } from '../page/render-page.ts'
import type { LinkProblem, LinkVisit } from './visit-link.ts'

type Page = { text: string; headers: Record<string, string> }
type PageOptions = { assets: PageAssets | undefined; query: URLSearchParams }

/** Who asks and why, with a button. It is a form that leads to this address, so it works without script and scanners do not send it. */
export function renderLink({ request, language, offered }: LinkVisit, { assets, query }: PageOptions): Page {
  const { component, page } = texts(language)
  const named = { merchant: request.merchant.name }
  const colourStyle = brandStyle(request)
  const text = renderLayout({
    language,
    offered,
    title: page.title.replace('{merchant}', () => request.merchant.name),
    assets,
    query,
    head: colourStyle === undefined ? '' : `<style>${colourStyle}</style>\n`,
    strip: request.test ? `<p class="strip">${toHtml(component.test)}</p>` : '',
    back: '<span></span>',
    body: `<main class="frame">
${renderRequest(request, { component, page })}
<section class="act"><form method="post" class="dock"><button class="button primary">${toHtml(page.link_start)}</button></form></section>
</main>`,
    foot: toHtml(component.checked_by, named).replace('{service}', vidimus),
  })
  return { text, headers: pageHeaders(language, colourStyle, { withForm: true }) }
}

/** Why nothing can be started, and what to do. */
export function renderLinkProblem(
  { request, language, offered }: Pick<LinkVisit, 'request' | 'language' | 'offered'>,
  problem: LinkProblem,
  { assets, query }: PageOptions,
): Page {
  const { title, text } = describeProblem(problem, language)
  const named = { merchant: request.merchant.name }
  const colourStyle = brandStyle(request)
  const html = renderLayout({
    language,
    offered,
    title,
    single: true,
    assets,
    query,
    head: colourStyle === undefined ? '' : `<style>${colourStyle}</style>\n`,
    strip: request.test ? `<p class="strip">${toHtml(texts(language).component.test)}</p>` : '',
    body: `<main class="frame"><section class="state">
<h1>${toHtml(title)}</h1>
<p class="soft">${toHtml(text, named)}</p>
</section></main>`,
  })
  return { text: html, headers: pageHeaders(language, colourStyle) }
}

function describeProblem(problem: LinkProblem, language: Language): { title: string; text: string } {
  const { component, page } = texts(language)
  switch (problem) {
    case 'ended':
      return { title: page.link_ended_title, text: page.link_ended }
    case 'used':
      return { title: component.used_title, text: component.used }
    case 'full':
      return { title: page.link_full_title, text: page.link_full }
    case 'busy':
      return { title: page.link_busy_title, text: page.link_busy }
  }
}

function brandStyle({ merchant: { colour } }: LinkVisit['request']): string | undefined {
  return colour === undefined ? undefined : writeBrandStyle(colour)
}
