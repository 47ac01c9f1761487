import { expect, test } from 'vitest'
import { newKey } from '../../test/new-key.ts'
import { sha256 } from '../sha256.ts'
import { signCheckpoint } from './checkpoint.ts'
import { maxHandovers, readHandover, signHandover } from './handover.ts'
import { readLogKeys, readSignedCheckpoint, type LogKeys } from './log-keys.ts'
import { signNote, type SigningKey } from './note.ts'

const name = 'verify.example.com/audit/0'
const root = (size: number) => sha256(`root of ${size}`)
const [first, second, third] = [newKey(name), newKey(name), newKey(name)]
const handOver = (number: number, size: number, from: SigningKey, to: SigningKey) =>
  signHandover({ number, size, root: root(size) }, from, to)
const handovers = [handOver(1, 10, first, second), handOver(2, 20, second, third)]

async function open(key: SigningKey, notes: readonly string[] = handovers): Promise<LogKeys> {
  const log = await readLogKeys(key.publicKey, notes)
  if ('fault' in log) throw new Error(log.fault)
  return log
}

const sign = (size: number, key: SigningKey, of = root(size)) => signCheckpoint({ size, root: of }, key)

test('[AUD-5] the handovers lead from any key of a log to all of them', async () => {
  for (const [index, key] of [first, second, third].entries()) {
    const log = await open(key)
    expect(log.given).toBe(index)
    expect(log.keys.map(({ publicKey }) => publicKey)).toEqual(
      [first, second, third].map((each) => each.publicKey),
    )
  }
  expect((await open(first, [])).keys).toEqual([{ publicKey: first.publicKey, from: undefined }])
})

test('[AUD-5] a key signs from the size at which it took over to the one at which it was replaced, and nothing else', async () => {
  const log = await open(first)
  const keys = [first, second, third]
  const accepted = await Promise.all(
    keys.map(async (key) => {
      const sizes = [1, 9, 10, 11, 19, 20, 21, 1e9]
      const read = await Promise.all(sizes.map((size) => readSignedCheckpoint(sign(size, key), log)))
      return sizes.filter((_, index) => !('fault' in (read[index] ?? { fault: '' })))
    }),
  )
  expect(accepted).toEqual([
    [1, 9, 10],
    [10, 11, 19, 20],
    [20, 21, 1e9],
  ])
  expect(await readSignedCheckpoint(sign(11, first), log)).toEqual({
    fault: 'is signed by a key that was replaced at size 10',
  })
  expect(await readSignedCheckpoint(sign(9, second), log)).toEqual({
    fault: 'is signed by a key that took over at size 10',
  })
  for (const key of [first, second])
    expect(await readSignedCheckpoint(sign(10, key, sha256('another')), log)).toEqual({
      fault: expect.stringContaining('the log was forked'),
    })
  expect(await readSignedCheckpoint(sign(5, newKey(name)), log)).toEqual({
    fault: "is not signed with this log's key",
  })
})

test('[AUD-5] a checkpoint that an old key signed as well is that of the key whose turn it was', async () => {
  const log = await open(first)
  const line = (note: string) => note.slice(note.indexOf('—'))
  const both = sign(15, first) + line(sign(15, second))

  expect(await readSignedCheckpoint(both, log)).toMatchObject({ size: 15, key: 1 })
})

test('[AUD-5] a checkpoint of another log is refused, even if a key of this log signed it', async () => {
  const other = 'other.example.com/audit/0'
  const note = sign(5, { ...first, name: other })

  expect(await readSignedCheckpoint(note, await open(first))).toEqual({
    fault: `belongs to another log, ${other}`,
  })
})

const [one = '', two = ''] = handovers
const stranger = newKey(name)
/** Signed by these keys, whichever it names. */
const signedBy = (note: string, ...keys: SigningKey[]) =>
  signNote(note.slice(0, note.lastIndexOf('\n\n') + 1), ...keys)

const wrongLists: Record<string, [notes: string[], fault: string]> = {
  'the first is missing': [[two], 'handover 1 does not follow'],
  'one in the middle is missing': [[one, handOver(3, 30, third, stranger)], 'handover 2 does not follow'],
  'they are in another order': [[two, one], 'handover 1 does not follow'],
  'one is there twice': [[one, one], 'handover 2 does not follow'],
  'a key has two successors': [[one, handOver(2, 20, first, third)], 'handover 2 does not follow'],
  'the old key did not sign': [[signedBy(one, second)], 'handover 1 is not signed by both'],
  'the new key did not sign': [[signedBy(one, first)], 'handover 1 is not signed by both'],
  'another key signed for the old one': [
    [signedBy(one, stranger, second)],
    'handover 1 is not signed by both',
  ],
  'a key comes back': [[one, handOver(2, 20, second, first)], 'a key was handed over twice'],
  'a key succeeds itself': [[handOver(1, 10, first, first)], 'a key was handed over twice'],
  'the position goes back': [[one, handOver(2, 9, second, third)], 'handover 2 does not follow'],
  'two positions of one size differ': [
    [one, signHandover({ number: 2, size: 10, root: root(11) }, second, third)],
    'handover 2 does not follow',
  ],
  'the log is another': [
    [one, handOver(2, 20, { ...second, name: 'other' }, { ...third, name: 'other' })],
    'handover 2 does not follow',
  ],
  'none of them names the given key': [[handOver(1, 10, stranger, second)], 'do not lead from this key'],
  'one is empty': [[''], 'handover 1 is not signed by both'],
}

for (const [what, [notes, fault]] of Object.entries(wrongLists)) {
  test(`[AUD-5] handovers are refused if ${what}`, async () => {
    expect(await readLogKeys(first.publicKey, notes)).toEqual({ fault: expect.stringContaining(fault) })
  })
}

test('[AUD-5] a list without its end does not let a later key sign', async () => {
  expect(await readSignedCheckpoint(sign(25, third), await open(first, [one]))).toEqual({
    fault: "is not signed with this log's key",
  })
})

test('[AUD-5] a log can be handed over before its first checkpoint, and twice at one size', async () => {
  const empty = sha256('')
  const notes = [
    signHandover({ number: 1, size: 0, root: empty }, first, second),
    signHandover({ number: 2, size: 0, root: empty }, second, third),
  ]
  const log = await open(first, notes)

  expect(await readSignedCheckpoint(sign(1, third), log)).toMatchObject({ key: 2 })
  for (const key of [first, second])
    expect(await readSignedCheckpoint(sign(1, key), log)).toMatchObject({ fault: expect.anything() })
})

test('[AUD-5] a handover has seven lines, each in its only valid form, and is no checkpoint', async () => {
  const [title = '', origin = '', ...rest] = one.split('\n').slice(0, 7)
  const [number, size, ...hashes] = rest
  expect([origin, number, size]).toEqual([name, '1', '10'])
  expect(await readHandover(one)).toEqual({
    origin: name,
    number: 1,
    size: 10,
    root: root(10),
    from: first.publicKey,
    to: second.publicKey,
  })
  const wrong = [
    [name, origin, ...rest],
    [title, origin, '0', '10', ...hashes],
    [title, origin, '01', '10', ...hashes],
    [title, origin, '1', '010', ...hashes],
    [title, origin, '1', '-1', ...hashes],
    [title, origin, ...rest, 'more'],
    [title, origin, ...rest.slice(0, -1)],
    [title, origin, '1', '10', ...hashes.map((hash) => hash.slice(0, -1))],
    [title, '', ...rest],
  ]
  for (const lines of wrong)
    expect(await readHandover(signNote(`${lines.join('\n')}\n`, first, second))).toBeUndefined()
  expect(await readSignedCheckpoint(one, await open(first))).toMatchObject({ fault: expect.anything() })
  expect(await readHandover(sign(10, first))).toBeUndefined()
})

test('[AUD-5] no change of one bit of a handover is accepted, and nothing throws', async () => {
  const accepted: string[] = []
  for (let at = 0; at < one.length; at += 1) {
    const flipped =
      one.slice(0, at) + String.fromCharCode(one.charCodeAt(at) ^ (1 << (at % 7))) + one.slice(at + 1)
    for (const altered of [flipped, one.slice(0, at)])
      if ((await readHandover(altered)) !== undefined) accepted.push(altered)
  }
  expect(accepted).toEqual([])
})

test('[AUD-5] the largest list is read', async () => {
  const keys = Array.from({ length: maxHandovers + 1 }, () => newKey(name))
  const notes = keys.slice(1).map((key, index) => handOver(index + 1, index, keys[index] ?? key, key))
  const log = await open(keys[0] ?? first, notes)

  expect(log.keys).toHaveLength(maxHandovers + 1)
})
