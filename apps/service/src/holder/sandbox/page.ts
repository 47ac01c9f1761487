import { describeFaults, faults, personas } from '@vidimus/sandbox'
import { escapeHtml, guideStyle, pageHead } from '../../engine/formats/index.ts'
import { latePersona, type SandboxResponse } from './respond.ts'

export type WalletForm = Partial<
  Record<'wallet_uri' | 'persona' | 'fault' | 'format' | 'channel' | 'origin', string>
>

/** What the page shows after the wallet responded, or after a refusal. */
export type WalletPageNotice = { response: SandboxResponse } | { refusal: string }

const formats = [
  ['', 'any that fits'],
  ['dc+sd-jwt', 'SD-JWT VC'],
  ['mso_mdoc', 'mdoc'],
] as const

const channels = [
  ['', 'by the link'],
  ['dc_api', 'Digital Credentials API, OpenID4VP'],
  ['annex_c', 'Digital Credentials API, ISO 18013-7 Annex C'],
] as const

/** The sandbox wallet in a browser: one form, no script. */
export function walletPage(form: WalletForm, notice: WalletPageNotice | undefined): string {
  const personaOptions = personas
    .filter(({ name }) => name !== latePersona)
    .map(({ name, description }) => option(name, `${name}: ${description}`, form.persona))
  const faultOptions = describeFaults(faults).map(({ name, description }) =>
    option(name, `${name}: ${description}`, form.fault),
  )
  return `${pageHead('Sandbox wallet · Vidimus', guideStyle)}
<body>
<header><a class="brand" href="/docs/guides">Vidimus</a> <a href="/docs/guides/testing">Testing</a> <a href="/docs">API reference</a></header>
<div class="columns"><main>
<h1>Sandbox wallet</h1>
<p>Responds to a verification of the test environment in place of a holder, over the real protocol, with made-up people and real cryptography.</p>
${notice === undefined ? '' : renderNotice(notice)}
<form method="post" action="/sandbox/wallet">
<label for="wallet_uri">wallet_uri <span class="hint">of a pending verification, as the API returned it; the page’s QR code and an av:// link work too</span></label>
<textarea id="wallet_uri" name="wallet_uri" rows="4" required spellcheck="false" placeholder="openid4vp://?client_id=…&amp;request_uri=…">${escapeHtml(form.wallet_uri ?? '')}</textarea>
<label for="persona">Who responds</label>
<select id="persona" name="persona">${personaOptions.join('')}</select>
<div class="pair">
<div><label for="format">In which format</label>
<select id="format" name="format">${formats.map(([value, words]) => option(value, words, form.format)).join('')}</select></div>
<div><label for="fault">What goes wrong</label>
<select id="fault" name="fault"><option value="">nothing</option>${faultOptions.join('')}</select></div>
</div>
<div class="pair">
<div><label for="channel">Over which channel</label>
<select id="channel" name="channel">${channels.map(([value, words]) => option(value, words, form.channel)).join('')}</select></div>
<div><label for="origin">Origin of the page <span class="hint">empty: this service</span></label>
<input id="origin" name="origin" spellcheck="false" placeholder="https://shop.example" value="${escapeHtml(form.origin ?? '')}"></div>
</div>
<button>Respond</button>
</form>
</main></div>
</body>
</html>
`
}

function renderNotice(notice: WalletPageNotice): string {
  if ('refusal' in notice) return box('Refused', `<p>${escapeHtml(notice.refusal)}</p>`)
  const { status, http_status, body, complaints } = notice.response
  if (complaints !== undefined)
    return box(
      'The wallet did not respond',
      `<ul>${complaints.map((each) => `<li>${escapeHtml(each)}</li>`).join('')}</ul>`,
    )
  return box(
    `The verification is ${status}`,
    `<p>The service replied to the wallet with status ${http_status}:</p><pre><code>${escapeHtml(body ?? '')}</code></pre>
<p class="hint">Read it with your key for claims, findings and the error; <a href="/docs/reference/errors#failed-verifications">what each error means</a>.</p>`,
  )
}

function box(title: string, html: string): string {
  return `<section class="outcome" role="status"><h2>${escapeHtml(title)}</h2>${html}</section>`
}

function option(value: string, words: string, chosen: string | undefined): string {
  return `<option value="${escapeHtml(value)}"${value === chosen ? ' selected' : ''}>${escapeHtml(words)}</option>`
}
