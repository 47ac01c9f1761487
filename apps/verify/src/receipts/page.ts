import {
  type ReceiptBody,
  type ReceiptReport,
  checkReceipt,
  readPublicKey,
  readReceipts,
} from '@vidimus/evidence'
import { config } from 'zod'
import { type ReceiptLanguage, type ReceiptTexts, receiptTexts } from './texts.ts'

/**
 * Checks receipts in the browser, for inspectors. The policy of the page allows no request at all, and the page is one file, so that a saved
 * copy does the same without the service.
 */

// Zod would otherwise compile functions from strings, which the page's CSP forbids and reports.
config({ jitless: true })

const maxFile_bytes = 16 * 2 ** 20
/** Results that are shown; all are counted. */
const maxShown = 500

type Checked = { name: string; report: ReceiptReport }

let language: ReceiptLanguage = navigator.language.startsWith('de') ? 'de' : 'en'
let receipts: { name: string; receipt: unknown }[] = []
let problems: { name: string; text: keyof ReceiptTexts }[] = []
/** Increased by every check, so that an earlier one that ends later shows nothing. */
let turn = 0

const find = <Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind => {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${id}`)
}
const key = find('key', HTMLTextAreaElement)
const files = find('files', HTMLInputElement)
const result = find('result', HTMLElement)
const languages = find('language', HTMLSelectElement)

key.addEventListener('input', () => void show())
files.addEventListener('change', () => void add(files.files))
languages.addEventListener('change', () => {
  language = languages.value === 'de' ? 'de' : 'en'
  void show()
})
find('print', HTMLButtonElement).addEventListener('click', () => window.print())
addEventListener('dragover', (event) => event.preventDefault())
addEventListener('drop', (event) => {
  event.preventDefault()
  void add(event.dataTransfer?.files ?? null)
})
languages.value = language
void show()

/** Reads chosen or dropped files: a key replaces the key, receipts replace those before. */
async function add(chosen: FileList | null): Promise<void> {
  problems = []
  const found: typeof receipts = []
  for (const file of chosen ?? []) {
    if (file.size > maxFile_bytes) {
      problems.push({ name: file.name, text: 'too_large' })
      continue
    }
    const text = await file.text()
    if (readPublicKey(text) !== undefined) key.value = text
    else {
      const read = readReceipts(text)
      if (read === undefined) problems.push({ name: file.name, text: 'not_receipt' })
      else
        found.push(
          ...read.map((receipt, index) => ({ name: nameReceipt(file.name, index, read.length), receipt })),
        )
    }
  }
  if (found.length > 0 || problems.length > 0) receipts = found
  await show()
}

function nameReceipt(file: string, index: number, count: number): string {
  return count === 1 ? file : `${file}, ${index + 1}`
}

async function show(): Promise<void> {
  turn += 1
  const current = turn
  const texts = receiptTexts[language]
  document.documentElement.lang = language
  document.title = texts.title
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
    element.textContent = texts[element.dataset['text'] as keyof ReceiptTexts] // written in page.html; a test reads them all
  const notes = problems.map(({ name, text }) => paragraph(`${name} ${texts[text]}`, 'bad'))
  const shown = receipts.length === 0 ? [] : await renderReports(texts)
  if (current === turn) result.replaceChildren(...notes, ...shown)
}

async function renderReports(texts: ReceiptTexts): Promise<HTMLElement[]> {
  const publicKey = readPublicKey(key.value)
  if (publicKey === undefined)
    return [paragraph(key.value.trim() === '' ? texts.key_missing : texts.key_invalid, 'bad')]
  const checked: Checked[] = []
  try {
    for (const { name, receipt } of receipts)
      checked.push({ name, report: await checkReceipt(receipt, { publicKey }) })
  } catch (error) {
    // WebCrypto without Ed25519, or a page that is not served over HTTPS.
    if (error instanceof DOMException || error instanceof TypeError)
      return [paragraph(texts.cannot_check, 'bad')]
    throw error
  }
  const valid = checked.filter(({ report }) => report.valid).length
  return [
    paragraph(fill(texts.summary, { valid: String(valid), all: String(checked.length) }), 'summary'),
    ...checked.slice(0, maxShown).map((each) => renderReport(texts, each)),
  ]
}

function renderReport(texts: ReceiptTexts, { name, report }: Checked): HTMLElement {
  const { valid, faults, body, signed_at = '' } = report
  const section = document.createElement('section')
  section.className = valid ? 'good' : 'bad'
  const title = document.createElement('h2')
  title.textContent = `${valid ? texts.valid : texts.invalid}: ${name}`
  const lines =
    body === undefined
      ? [texts.changed]
      : [...describeBody(texts, body), fill(texts.signed, { at: formatTime(signed_at) })]
  const reasons = faults.map((fault) => {
    const reason = paragraph(fault, 'fault')
    reason.lang = 'en'
    return reason
  })
  section.append(title, ...lines.map((line) => paragraph(line)), ...reasons)
  return section
}

function describeBody(texts: ReceiptTexts, body: ReceiptBody): string[] {
  const {
    id,
    status,
    error_code = '',
    template,
    query_hash = '',
    client_id,
    environment,
    result: stored,
  } = body
  return [
    fill(texts[status], { responded: formatTime(body.responded_at), id, code: error_code }),
    template === undefined
      ? fill(texts.query, { hash: query_hash })
      : fill(texts.template, { key: template.key, version: template.version }),
    fill(environment === 'live' ? texts.live : texts.test, { client: client_id }),
    ...body.credentials.map(
      ({ format, type = format, trusted, signature_valid, holder_binding_valid, findings }) =>
        fill(texts.credential, {
          type,
          trusted: trusted ? texts.trusted : texts.not_trusted,
          signature: signature_valid ? texts.signature_valid : texts.signature_invalid,
          bound: holder_binding_valid ? texts.yes : texts.no,
          checks:
            findings.length === 0
              ? texts.passed
              : fill(texts.not_passed, {
                  checks: findings.map((finding) => `${finding.check} (${finding.status})`).join(', '),
                }),
        }),
    ),
    stored.sealed ? fill(texts.sealed, { hash: stored.hash }) : texts.unsealed,
  ]
}

/** A function as replacement, so that `$&` in a value stays as it is. */
function fill(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** In UTC, as in the receipt, so that two readers see the same. */
function formatTime(at: string): string {
  const options = { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(language, options).format(new Date(at))} UTC`
}

function paragraph(text: string, kind = ''): HTMLParagraphElement {
  const element = document.createElement('p')
  element.textContent = text
  element.className = kind
  return element
}
