import type { HolderOutcome, HolderVerification } from '@vidimus/contract'
import { type HolderTexts, type Language, fillIn, texts } from '@vidimus/holder-texts'
import { escapeHtml } from '../../engine/formats/index.ts'
import { type DescribedRequest, type ShownVerification, isOpen } from './get-verification.ts'
import { type PageAssets, renderIcon, renderLayout, renderList, toHtml, vidimus } from './layout.ts'
import { renderFallback } from './render-fallback.ts'

type RenderPage = Pick<ShownVerification, 'verification' | 'language' | 'offered'> & {
  id: string
  /** The inline style with the merchant's colours, if it has set one. */
  colourStyle: string | undefined
  assets: PageAssets | undefined
}

/** The page of one verification: who asks, for what and why, the rest folded; then the component with the channels to a wallet. */
export function renderVerificationPage({
  id,
  verification,
  language,
  offered,
  colourStyle,
  assets,
}: RenderPage): string {
  const { component, page } = texts(language)
  const { merchant, phase, attempt, test } = verification
  const named = { merchant: merchant.name }
  const titles = outcomeTitles(verification, language)
  const titleAttributes = Object.entries(titles).map(
    ([outcome, title]) => ` data-${outcome}="${escapeHtml(title)}"`,
  )
  return renderLayout({
    language,
    offered,
    title: isOpen(phase) ? fillIn(page.title, named) : titles[phase],
    assets,
    head: [
      colourStyle === undefined ? '' : `<style>${colourStyle}</style>\n`,
      assets === undefined ? '' : `<script type="module" src="/verify/assets/${assets.script}"></script>\n`,
      isOpen(phase) ? `<noscript><meta http-equiv="refresh" content="${refresh_seconds}"></noscript>\n` : '',
    ].join(''),
    strip: test ? `<p class="strip">${toHtml(component.test)}</p>` : '',
    back: renderBack(id, verification, language),
    single: phase !== 'pending' || attempt !== undefined,
    body: `<main class="frame"${titleAttributes.join('')}>
${renderRequest(verification, { component, page })}
<section class="act">
<vidimus-verify session="${escapeHtml(id)}" lang="${language}" redirect="auto">
${renderFallback(id, verification, { component, page })}
</vidimus-verify>
</section>
</main>`,
    foot: toHtml(component.checked_by, named).replace('{service}', vidimus),
  })
}

const refresh_seconds = 5

/** The title of the page for each outcome. The script shows it when the outcome is known, for a tab in the background. */
function outcomeTitles(
  { merchant, done }: HolderVerification,
  language: Language,
): Record<HolderOutcome, string> {
  const { component } = texts(language)
  const write = (title: string) => `${title} · ${merchant.name}`
  return {
    completed: write(done?.title ?? component.completed_title),
    declined: write(component.declined_title),
    try_again: write(component.try_again_title),
    not_accepted: write(component.not_accepted_title),
    expired: write(component.expired_title),
    cancelled: write(component.cancelled_title),
    used: write(component.used_title),
  }
}

/**
 * The way out. While the verification is open it cancels: by a form, which the script replaces by its own call. The form leads back to this
 * page and not to the merchant's, because Chromium applies `form-action` to redirects too.
 */
function renderBack(
  id: string,
  { phase, merchant, return_url }: HolderVerification,
  language: Language,
): string {
  const { component } = texts(language)
  const content = `${renderIcon('back')}<span>${toHtml(component.back, { merchant: merchant.name })}</span>`
  if (isOpen(phase))
    return `<form method="post" action="/verify/${escapeHtml(id)}/cancel?lang=${language}"><button class="back">${content}</button></form>`
  if (return_url === undefined) return '<span></span>'
  return `<a class="back" href="${escapeHtml(return_url)}" rel="noreferrer">${content}</a>`
}

type PageTexts = Pick<HolderTexts, 'component' | 'page'>

/** Who asks, for what and why; the rest folded. */
export function renderRequest(verification: DescribedRequest, { component, page }: PageTexts): string {
  const { headline } = verification
  return `<section class="ask">
<div class="head">${renderLogo(verification)}<h1>${escapeHtml(headline)}</h1><p class="lede">${toHtml(component.lede)}</p></div>
<div class="lines">
<dl>
${renderLines(verification, component)}
</dl>
<details><summary>${toHtml(component.details)}${renderIcon('down')}</summary><div class="more">
${renderDetails(verification, component)}
</div></details>
</div>
<ol class="how"><li>${toHtml(page.step_open)}</li><li>${toHtml(page.step_read)}</li><li>${toHtml(page.step_agree)}</li></ol>
</section>`
}

/** Decorative: the name is below it. */
function renderLogo({ merchant: { name, logo } }: DescribedRequest): string {
  if (logo !== undefined) return `<img class="logo" src="${escapeHtml(logo)}" alt="">`
  const [letter = ''] = new Intl.Segmenter().segment(name)
  return letter === '' ? '' : `<span class="logo" aria-hidden="true">${escapeHtml(letter.segment)}</span>`
}

/** Who, what and why. Long texts are cut here, and whole in the details. */
function renderLines(
  { merchant, summary, purpose }: DescribedRequest,
  component: HolderTexts['component'],
): string {
  const { name, legal_name, intermediary } = merchant
  const note = (text: string, value: string, values: Record<string, string>) =>
    `<small>${toHtml(text, values).replace(escapeHtml(value), (found) => `<bdi>${found}</bdi>`)}</small>`
  const who = [
    `<span class="two" translate="no"><bdi>${escapeHtml(name)}</bdi></span>`,
    legal_name === undefined ? '' : note(component.wallet_shows, legal_name, { name: legal_name }),
    intermediary === undefined ? '' : note(component.through, intermediary, { intermediary }),
  ]
  return [
    `<div><dt>${toHtml(component.who)}</dt><dd>${who.join('')}</dd></div>`,
    `<div><dt>${toHtml(component.what)}</dt><dd class="clamp">${escapeHtml(summary)}</dd></div>`,
    purpose === undefined
      ? ''
      : `<div><dt>${toHtml(component.why)}</dt><dd class="clamp"><bdi>${escapeHtml(purpose)}</bdi></dd></div>`,
  ].join('\n')
}

function renderDetails(
  { merchant, purpose, asks, retention }: DescribedRequest,
  component: HolderTexts['component'],
): string {
  const section = (title: string, content: string) => `<section><h2>${toHtml(title)}</h2>${content}</section>`
  return [
    ...asks.flatMap(({ claims, documents, optional }) => [
      section(
        component.claims,
        `${optional ? `<p>${toHtml(component.optional)}</p>` : ''}${renderList(claims)}`,
      ),
      documents.length === 0
        ? ''
        : section(
            documents.length > 1 ? component.from_one_of : component.from_document,
            renderList(documents),
          ),
    ]),
    section(component.who, `<p><bdi>${escapeHtml(merchant.name)}</bdi></p>`),
    purpose === undefined ? '' : section(component.why, `<p><bdi>${escapeHtml(purpose)}</bdi></p>`),
    section(component.kept, `<p>${escapeHtml(retention)}</p>`),
    merchant.privacy_url === undefined
      ? ''
      : `<a href="${escapeHtml(merchant.privacy_url)}" rel="noreferrer">${toHtml(component.privacy, { merchant: merchant.name })}</a>`,
  ].join('\n')
}
