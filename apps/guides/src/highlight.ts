import { escapeHtml } from './escape-html.ts'

/** One kind of token: its class in the style sheet, and how it looks. The first kind that matches at a position wins. */
type TokenKind = [name: string, pattern: string]

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/.source

const shell: TokenKind[] = [
  ['comment', /(?<=^|\s)#[^\n]*/.source],
  ['variable', /\$\{[^}]*\}|\$\w+/.source],
  ['string', string],
  ['option', /(?<=\s)--?[a-z][\w-]*/.source],
  [
    'keyword',
    /(?<=^|[|(;]\s?|&&\s)(?:curl|npm|npx|node|vidimus|export|echo|openssl|cat|tee|grep|sed)(?=\s)/.source,
  ],
]
const script: TokenKind[] = [
  ['comment', /\/\/[^\n]*|\/\*[^]*?\*\//.source],
  ['string', `${string}|\`(?:[^\`\\\\]|\\\\.)*\``],
  [
    'keyword',
    /\b(?:as|async|await|const|export|for|from|function|if|import|let|new|of|return|throw|type|typeof)\b/
      .source,
  ],
  ['literal', /\b(?:true|false|null|undefined|\d[\d_]*)\b/.source],
]
const json: TokenKind[] = [
  ['option', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/.source],
  ['string', string],
  ['literal', /\b(?:true|false|null)\b|-?\b\d[\d.]*\b/.source],
]
const html: TokenKind[] = [
  ['comment', /<!--[^]*?-->/.source],
  ['keyword', /<\/?[a-z][\w-]*|\/?>/.source],
  ['string', string],
  ['option', /\b[a-z][\w-]*(?==)/.source],
]

const languages: Partial<Record<string, RegExp>> = {
  sh: combine(shell),
  ts: combine(script),
  json: combine(json),
  html: combine(html),
}

/** Code as HTML, with a `span` around each token that the style sheet colours. */
export function highlight(code: string, language: string): string {
  const tokens = languages[language]
  if (tokens === undefined) return escapeHtml(code)
  let end = 0
  const parts: string[] = []
  for (const { 0: text, index, groups = {} } of code.matchAll(tokens)) {
    const [name = ''] = Object.entries(groups).find(([, matched]) => matched !== undefined) ?? []
    parts.push(escapeHtml(code.slice(end, index)), `<span class="t-${name}">${escapeHtml(text)}</span>`)
    end = index + text.length
  }
  return parts.join('') + escapeHtml(code.slice(end))
}

function combine(kinds: TokenKind[]): RegExp {
  return new RegExp(kinds.map(([name, pattern]) => `(?<${name}>${pattern})`).join('|'), 'gm')
}
