import { generateKeyPairSync } from 'node:crypto'
import { canonicalize, fromHex, computeLink, firstLink, signNote, toHex } from '@vidimus/evidence'
import { toSigningKey } from '../../src/audit/log/open-log.ts'

export type AlteredExport = { what: string; lines: string[] }

/** An export, and earlier genuine exports of the same chain. */
export type ExportVersions = { lines: readonly string[]; older: readonly (readonly string[])[] }

/** A random manipulation that someone who passes on an export can make. Repeated until it changes something. */
export function randomAlteration(exported: ExportVersions): AlteredExport {
  for (;;) {
    const altered = pick(alterations)(exported)
    if (altered.lines.join('\n') !== exported.lines.join('\n')) return altered
  }
}

const alterations = [
  change,
  changeAndRelink,
  flip,
  drop,
  insert,
  append,
  reorder,
  cut,
  replaceWithOlder,
  resign,
]

/** Changes one value of one line. */
function change({ lines }: ExportVersions): AlteredExport {
  const place = randomBelow(lines.length)
  return { what: 'a value is changed', lines: lines.with(place, alterLine(lines[place] ?? '')) }
}

/** Changes an entry and recomputes all later links, as an attacker who knows the format would. */
function changeAndRelink({ lines }: ExportVersions): AlteredExport {
  const place = randomBelow(lines.length - 1)
  const changed = lines.with(place, alterLine(lines[place] ?? ''))
  return { what: 'an entry is changed and the chain recomputed', lines: relink(changed) }
}

/** Flips one bit of one character. */
function flip({ lines }: ExportVersions): AlteredExport {
  const place = randomBelow(lines.length)
  const line = lines[place] ?? ''
  const at = randomBelow(line.length)
  const other = String.fromCharCode(line.charCodeAt(at) ^ (1 << randomBelow(7)))
  return {
    what: 'a character is flipped',
    lines: lines.with(place, line.slice(0, at) + other + line.slice(at + 1)),
  }
}

function drop({ lines }: ExportVersions): AlteredExport {
  const without = lines.toSpliced(randomBelow(lines.length), 1 + randomBelow(3))
  return { what: 'lines are dropped', lines: pick([without, relink(without)]) }
}

/** Duplicates a line at a different position. */
function insert({ lines }: ExportVersions): AlteredExport {
  const more = lines.toSpliced(randomBelow(lines.length), 0, pick(lines))
  return { what: 'a line is inserted', lines: pick([more, relink(more)]) }
}

/** Appends a copied entry at the end of the chain, with a correct number and link. */
function append({ lines }: ExportVersions): AlteredExport {
  const more = lines.toSpliced(-1, 0, pick(lines.slice(0, -1)))
  return { what: 'an entry is appended', lines: relink(more) }
}

function reorder({ lines }: ExportVersions): AlteredExport {
  const [one, two] = [randomBelow(lines.length), randomBelow(lines.length)]
  const swapped = lines.with(one, lines[two] ?? '').with(two, lines[one] ?? '')
  return { what: 'two lines are swapped', lines: pick([swapped, relink(swapped)]) }
}

/** Removes the last entries. The seal stays, is removed too, or is replaced with an earlier one. */
function cut({ lines, older }: ExportVersions): AlteredExport {
  const left = lines.slice(0, randomBelow(lines.length))
  const seal = pick([...older, lines]).at(-1) ?? ''
  return { what: 'the end is truncated', lines: pick([left, [...left, seal]]) }
}

/** Replaces the export with an earlier one. It is valid in itself; only a saved checkpoint reveals the replacement. */
function replaceWithOlder({ older }: ExportVersions): AlteredExport {
  return { what: 'an earlier export is passed on', lines: [...pick(older)] }
}

/** Signs the checkpoint, unchanged or with a different size or root, with another key under the same name. */
function resign({ lines }: ExportVersions): AlteredExport {
  const sealed = JSON.parse(lines.at(-1) ?? '')
  const text: string = sealed.seal.checkpoint.split('\n\n')[0]
  const [origin = '', size, root] = text.split('\n')
  const { privateKey } = generateKeyPairSync('ed25519')
  const checkpointText = pick([
    `${text}\n`,
    `${origin}\n${Number(size) + 1}\n${root}\n`,
    `${origin}\n1\n${root}\n`,
  ])
  sealed.seal.checkpoint = signNote(checkpointText, toSigningKey(origin, privateKey))
  return { what: 'another key signs', lines: [...lines.slice(0, -1), canonicalize(sealed)] }
}

/** Numbers the entries from 1 and computes the link of each from the previous one. */
function relink(lines: readonly string[]): string[] {
  let [seq, link] = [0, firstLink]
  return lines.map((line) => {
    const { entry, ...rest } = parsed(line)
    if (entry === undefined) return line
    seq += 1
    const renumbered = { ...entry, seq }
    link = computeLink(link, renumbered)
    return canonicalize({ ...rest, entry: renumbered, link: toHex(link) })
  })
}

/** Lines that an earlier alteration made invalid stay unchanged. */
function parsed(line: string) {
  try {
    return JSON.parse(line)
  } catch {
    // No longer JSON.
    return {}
  }
}

/** Changes one value in a line and writes the line in canonical form. */
export function alterLine(line: string): string {
  const value = JSON.parse(line)
  const places = placesIn(value)
  const { owner, name } = pick(places)
  const found = owner[name]
  if (typeof found === 'object' && found !== null) alterMembers(found)
  else owner[name] = alterValue(found)
  return canonicalize(value)
}

type Members = Record<string, unknown>

/** Every member of every object and array, with its parent. */
function placesIn(value: Members): { owner: Members; name: string }[] {
  return Object.keys(value).flatMap((name) => {
    const member = value[name]
    const inside = typeof member === 'object' && member !== null ? placesIn(member as Members) : [] // an object, checked before
    return [{ owner: value, name }, ...inside]
  })
}

function alterMembers(members: object): void {
  if (Array.isArray(members)) {
    if (members.length > 0 && randomBelow(2) === 0) members.splice(randomBelow(members.length), 1)
    else members.push(members.length > 0 ? pick(members) : 'injected')
  } else if (randomBelow(2) === 0) {
    Reflect.set(members, 'injected', true)
  } else {
    Reflect.deleteProperty(members, pick([...Object.keys(members), 'injected']))
  }
}

function alterValue(value: unknown): unknown {
  if (typeof value === 'number') return value + pick([-1, 1, 256])
  if (typeof value !== 'string') return 'injected'
  if (/^[0-9a-f]{64}$/.test(value)) {
    const bytes = fromHex(value)
    const at = randomBelow(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << randomBelow(8))
    return toHex(bytes)
  }
  const at = randomBelow(value.length + 1)
  return value.slice(0, at) + pick(['', 'x', '0', '\n', 'é']) + value.slice(at + randomBelow(2))
}

function randomBelow(below: number): number {
  return Math.floor(Math.random() * below)
}

function pick<Item>(items: readonly Item[]): Item {
  const item = items[randomBelow(items.length)]
  if (item === undefined) throw new RangeError('the list is empty')
  return item
}
