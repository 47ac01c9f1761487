import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readCheckpoint, signCheckpoint } from './checkpoint.ts'
import { sha256 } from './hash.ts'
import { openNote, signNote, verifierKeyOf } from './note.ts'

/** The example of C2SP signed-note, with its verifier key. */
const example = {
  key: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  note: 'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
}

const name = 'verify.example.com/audit/0'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')

test("the specification's own example opens with its key", () => {
  const raw = Buffer.from(example.key.split('+')[2] ?? '', 'base64').subarray(1)
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  })

  expect(openNote(example.note, 'example.com/foo', key)).toBe('This is an example message.\n')
  expect(verifierKeyOf('example.com/foo', key)).toBe(example.key)
})

test('a note opens with the key and the name that signed it, and with no other', () => {
  const note = signNote('first\n\nsecond\n', { name, privateKey })

  expect(openNote(note, name, publicKey)).toBe('first\n\nsecond\n')
  expect(openNote(note, `${name}0`, publicKey)).toBeUndefined()
  expect(openNote(note, name, other.publicKey)).toBeUndefined()
  expect(openNote(note.replace('second', 'Second'), name, publicKey)).toBeUndefined()
  expect(openNote(note.slice(0, -1), name, publicKey)).toBeUndefined()
})

test("a witness's signature beside ours is passed over; one under our name and key id must hold", () => {
  const note = signNote('text\n', { name, privateKey })
  const witness = signNote('text\n', { name: 'witness.example', privateKey: other.privateKey })
  const lineOf = (signed: string) => signed.slice(signed.indexOf('—'))
  const forged = lineOf(signNote('another text\n', { name, privateKey }))

  expect(openNote(note + lineOf(witness), name, publicKey)).toBe('text\n')
  expect(openNote(note + forged, name, publicKey)).toBeUndefined()
})

test('a checkpoint is three lines, each in its one form', () => {
  const root = sha256('root')
  const note = signCheckpoint({ size: 42, root }, { name, privateKey })

  expect(note.split('\n').slice(0, 4)).toEqual([name, '42', root.toString('base64'), ''])
  expect(readCheckpoint(note, publicKey)).toEqual({ origin: name, size: 42, root })
  for (const text of [
    `${name}\n042\n${root.toString('base64')}\n`,
    `${name}\n42\n${root.toString('base64url')}\n`,
    `${name}\n42\n${root.toString('base64')}\nan extension\n`,
    `${name}\n42\n`,
    `${name}\n0\n${root.toString('base64')}\n`,
  ]) {
    expect(readCheckpoint(signNote(text, { name, privateKey }), publicKey)).toBeUndefined()
  }
  expect(
    readCheckpoint(signCheckpoint({ size: 42, root }, { name, privateKey: other.privateKey }), publicKey),
  ).toBeUndefined()
  expect(readCheckpoint('', publicKey)).toBeUndefined()
})
