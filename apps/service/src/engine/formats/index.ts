export { hasChecksum, newCheckedText } from './checked-text.ts'
export { clearCookie, readCookie, writeCookie } from './cookies.ts'
export { type CsvCell, csvLine, streamCsv } from './csv.ts'
export {
  computeThumbprint,
  encryptToRecipients,
  importRecipient,
  type JweRecipient,
  type PublicKeyJwk,
} from './jwe.ts'
export { escapeHtml, guideStyle, inlineIcon, pageHead } from './html.ts'
