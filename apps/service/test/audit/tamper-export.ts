import { generateKeyPairSync } from 'node:crypto'
import { canonicalize, fromHex, computeLink, firstLink, signNote, toHex } from '@vidimus/evidence'
import { toSigningKey } from '../../src/audit/log/open-log.ts'

export type AlteredExport = { what: string; lines: string[] }

/** An export as it was written, and genuine ones of the same chain that were made before. */
export type ExportVersions = { lines: readonly string[]; older: readonly (readonly string[])[] }

/** Something that whoever hands on an export may do to it; drawn again when it changes nothing. */
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

/** Some value of some line becomes another. */
function change({ lines }: ExportVersions): AlteredExport {
  const place = randomBelow(lines.length)
  return { what: 'a value is changed', lines: lines.with(place, alterLine(lines[place] ?? '')) }
}

/** An entry is changed and all links after it are made to fit, as someone would who knows the format. */
function changeAndRelink({ lines }: ExportVersions): AlteredExport {
  const place = randomBelow(lines.length - 1)
  const changed = lines.with(place, alterLine(lines[place] ?? ''))
  return { what: 'an entry is changed and the chain made to fit', lines: relink(changed) }
}

/** One character, anywhere. */
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

/** A line of this file once more, elsewhere. */
function insert({ lines }: ExportVersions): AlteredExport {
  const more = lines.toSpliced(randomBelow(lines.length), 0, pick(lines))
  return { what: 'a line is inserted', lines: pick([more, relink(more)]) }
}

/** A made-up entry at the end of the chain, numbered and linked as it should be. */
function append({ lines }: ExportVersions): AlteredExport {
  const more = lines.toSpliced(-1, 0, pick(lines.slice(0, -1)))
  return { what: 'an entry is appended', lines: relink(more) }
}

function reorder({ lines }: ExportVersions): AlteredExport {
  const [one, two] = [randomBelow(lines.length), randomBelow(lines.length)]
  const swapped = lines.with(one, lines[two] ?? '').with(two, lines[one] ?? '')
  return { what: 'two lines change places', lines: pick([swapped, relink(swapped)]) }
}

/** The last entries are gone; the seal stays, or goes with them, or is an earlier one. */
function cut({ lines, older }: ExportVersions): AlteredExport {
  const left = lines.slice(0, randomBelow(lines.length))
  const seal = pick([...older, lines]).at(-1) ?? ''
  return { what: 'the end is cut off', lines: pick([left, [...left, seal]]) }
}

/** An earlier export in place of this one: nothing in it is wrong, only a checkpoint that was kept tells. */
function replaceWithOlder({ older }: ExportVersions): AlteredExport {
  return { what: 'an earlier export is handed on', lines: [...pick(older)] }
}

/** The checkpoint, as it stands or with another size or root, signed by another key under the same name. */
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

/** Numbers the entries from 1 on and gives each the link that follows from the one before. */
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

/** Lines that a former alteration has broken stay as they are. */
function parsed(line: string) {
  try {
    return JSON.parse(line)
  } catch {
    // No JSON any more.
    return {}
  }
}

/** Changes one thing, anywhere in a line, and writes the line in its canonical form. */
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

/** Every member of every object and list, by whoever has it. */
function placesIn(value: Members): { owner: Members; name: string }[] {
  return Object.keys(value).flatMap((name) => {
    const member = value[name]
    const inside = typeof member === 'object' && member !== null ? placesIn(member as Members) : [] // an object, by the test
    return [{ owner: value, name }, ...inside]
  })
}

function alterMembers(members: object): void {
  if (Array.isArray(members)) {
    if (members.length > 0 && randomBelow(2) === 0) members.splice(randomBelow(members.length), 1)
    else members.push(members.length > 0 ? pick(members) : 'planted')
  } else if (randomBelow(2) === 0) {
    Reflect.set(members, 'planted', true)
  } else {
    Reflect.deleteProperty(members, pick([...Object.keys(members), 'planted']))
  }
}

function alterValue(value: unknown): unknown {
  if (typeof value === 'number') return value + pick([-1, 1, 256])
  if (typeof value !== 'string') return 'planted'
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
  if (item === undefined) throw new RangeError('nothing to choose from')
  return item
}
