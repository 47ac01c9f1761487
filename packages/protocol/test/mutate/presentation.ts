import { encodeJson } from '../sign.ts'
import { mutateBytes } from './bytes.ts'
import { mutateCbor } from './cbor.ts'
import { pick, type Edit } from './edit.ts'
import { mutateJson } from './json.ts'

/** A valid presentation to mutate, and others of the same format whose parts may be spliced in. */
export type PresentationSamples = { presentation: string; others: readonly string[] }

/**
 * Applies one change to a presentation: in its text, its base64url, the bytes, JSON or CBOR inside, or its structure. The last
 * three are the most frequent, since the others rarely leave anything readable.
 */
export function mutatePresentation({ presentation, others }: PresentationSamples, edit: Edit): string {
  const rest = { ...edit, what: Math.floor(edit.what / 8) }
  const mdoc = !presentation.includes('~')
  const other = pick(others, edit.value)
  switch (edit.what % 8) {
    case 0:
      return mutateText(presentation, rest)
    case 1:
      return mutateAlphabet(presentation, rest)
    case 2:
      return mdoc
        ? mutateDecoded(presentation, rest, mutateBytes)
        : mutateJwtPart(presentation, rest, mutateBytes)
    case 3:
    case 4:
      return mdoc ? splice(presentation, other, rest) : rearrange(presentation, other, rest)
    default:
      return mdoc
        ? mutateDecoded(presentation, rest, mutateCbor)
        : mutateJwtPart(presentation, rest, mutateJsonBytes)
  }
}

function mutateText(presentation: string, edit: Edit): string {
  return mutateBytes(Buffer.from(presentation, 'latin1'), edit).toString('latin1')
}

/** Variants that a lenient reader would accept. */
function mutateAlphabet(presentation: string, { where, what, value }: Edit): string {
  const at = where % (presentation.length + 1)
  const [before, after] = [presentation.slice(0, at), presentation.slice(at)]
  switch (what % 4) {
    case 0:
      return presentation.replaceAll('-', '+').replaceAll('_', '/')
    case 1:
      return `${before}${pick(['=', '==', ' ', '\n', '\t', '%3D'], value)}${after}`
    case 2:
      return before + pick(['A', 'B', '-', '_', '.', '~', '\u00E9', '\u{1F600}'], value) + after.slice(1)
    default:
      return before + after.toUpperCase()
  }
}

type Change = (bytes: Buffer, edit: Edit) => Buffer

function mutateDecoded(presentation: string, edit: Edit, change: Change): string {
  return change(Buffer.from(presentation, 'base64url'), edit).toString('base64url')
}

function mutateJsonBytes(bytes: Buffer, edit: Edit): Buffer {
  try {
    return Buffer.from(encodeJson(mutateJson(JSON.parse(bytes.toString()), edit)), 'base64url')
  } catch {
    // A signature is not JSON. Change its bytes instead.
    return mutateBytes(bytes, edit)
  }
}

/** One of the parts between dots and tildes. */
function mutateJwtPart(presentation: string, edit: Edit, change: Change): string {
  const parts = presentation.split(/([.~])/)
  const index = 2 * (edit.value % Math.ceil(parts.length / 2))
  parts[index] = change(Buffer.from(parts[index] ?? '', 'base64url'), edit).toString('base64url')
  return parts.join('')
}

/** Reorders, removes, repeats or replaces disclosures and the key binding JWT with those of another presentation. */
function rearrange(presentation: string, other: string, { where, what, value }: Edit): string {
  const parts = presentation.split('~')
  const foreign = other.split('~')
  const [at, to] = [where % parts.length, value % parts.length]
  switch (what % 6) {
    case 0:
      parts.splice(at, 1)
      break
    case 1:
      parts.splice(to, 0, parts[at] ?? '')
      break
    case 2:
      parts[at] = foreign[to % foreign.length] ?? ''
      break
    case 3:
      parts.push(foreign.at(-1) ?? '')
      break
    case 4:
      parts.splice(to, 0, ...parts.splice(at, 1))
      break
    default:
      parts.splice(at, 0, pick(foreign, value))
  }
  return parts.join('~')
}

/** Replaces a run of bytes with those of another mdoc: most bytes of two mdocs of one issuer are equal. */
function splice(presentation: string, other: string, { where, value, length }: Edit): string {
  const [ours, theirs] = [Buffer.from(presentation, 'base64url'), Buffer.from(other, 'base64url')]
  const at = where % ours.length
  const run = 1 + length * (1 + (value % 40))
  theirs.copy(ours, at, at, Math.min(at + run, theirs.length))
  return ours.toString('base64url')
}
