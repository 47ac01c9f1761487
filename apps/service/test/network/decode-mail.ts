export type DecodedMail = {
  raw: string
  headers: Record<string, string>
  /** The decoded parts: plain text and HTML. */
  text: string
  html: string
}

/** Decodes what the tests look at: headers, and the two parts of the body. */
export function decodeMail(raw: string): DecodedMail {
  const { headers, body } = splitPart(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1).map(splitPart)
  const decoded = (type: string) => {
    const part = parts.find((each) => each.headers['content-type']?.startsWith(type))
    return part === undefined ? '' : decodeBody(part)
  }
  return { raw, headers, text: decoded('text/plain'), html: decoded('text/html') }
}

type Part = { headers: Record<string, string>; body: string }

function splitPart(part: string): Part {
  const start = part.replace(/^\r?\n/, '')
  const end = start.indexOf('\r\n\r\n')
  const lines = start
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      decodeWords(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  )
  return { headers, body: start.slice(end + 4) }
}

/** RFC 2047. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    )
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : body
}

function decodeQuotedPrintable(value: string): string {
  const bytes = value
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/[^\x20-\x7e\s]/g, (character) => encodeURIComponent(character).replaceAll('%', '='))
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
