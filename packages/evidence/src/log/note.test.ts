import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { newKey } from '../../test/new-key.ts'
import { toBase64 } from '../bytes.ts'
import { readCheckpoint, signCheckpoint } from './checkpoint.ts'
import { sha256 } from '../sha256.ts'
import { openNote, signNote, toVerifierKey } from './note.ts'
import { readPublicKey, writePublicKey } from './public-key.ts'

/** The example of C2SP signed-note, with its verifier key. */
const example = {
  key: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  note: 'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
}

const name = 'verify.example.com/audit/0'
const key = newKey(name)
const { publicKey } = key
const other = newKey(name)

test("the specification's example is verified with its key", async () => {
  const raw = Uint8Array.from(Buffer.from(example.key.split('+')[2] ?? '', 'base64').subarray(1))

  expect(await openNote(example.note, 'example.com/foo', raw)).toBe('This is an example message.\n')
  expect(toVerifierKey('example.com/foo', raw)).toBe(example.key)
})

test('a note is verified only with the key and the name that signed it', async () => {
  const note = signNote('first\n\nsecond\n', key)

  expect(await openNote(note, name, publicKey)).toBe('first\n\nsecond\n')
  expect(await openNote(note, `${name}0`, publicKey)).toBeUndefined()
  expect(await openNote(note, name, other.publicKey)).toBeUndefined()
  expect(await openNote(note.replace('second', 'Second'), name, publicKey)).toBeUndefined()
  expect(await openNote(note.slice(0, -1), name, publicKey)).toBeUndefined()
})

test("a witness's signature is ignored; one under our name and key id must be valid", async () => {
  const note = signNote('text\n', key)
  const witness = signNote('text\n', newKey('witness.example'))
  const signatureLine = (signed: string) => signed.slice(signed.indexOf('—'))
  const forged = signatureLine(signNote('another text\n', key))

  expect(await openNote(note + signatureLine(witness), name, publicKey)).toBe('text\n')
  expect(await openNote(note + forged, name, publicKey)).toBeUndefined()
})

test('a checkpoint has three lines, each in its only valid form', async () => {
  const root = sha256('root')
  const base64 = toBase64(root)
  const note = signCheckpoint({ size: 42, root }, key)

  expect(note.split('\n').slice(0, 4)).toEqual([name, '42', base64, ''])
  expect(await readCheckpoint(note, publicKey)).toEqual({ origin: name, size: 42, root })
  for (const text of [
    `${name}\n042\n${base64}\n`,
    `${name}\n42\n${base64.replace(/=$/, '')}\n`,
    `${name}\n42\n${base64}\nan extension\n`,
    `${name}\n42\n`,
    `${name}\n0\n${base64}\n`,
  ]) {
    expect(await readCheckpoint(signNote(text, key), publicKey)).toBeUndefined()
  }
  expect(await readCheckpoint(signCheckpoint({ size: 42, root }, other), publicKey)).toBeUndefined()
  expect(await readCheckpoint('', publicKey)).toBeUndefined()
})

test('a public key is read from the PEM that openssl and Node accept, and from nothing else', () => {
  const pem = writePublicKey(publicKey)
  const theirs = createPublicKey(pem)

  expect(theirs.asymmetricKeyType).toBe('ed25519')
  expect(theirs.export({ format: 'pem', type: 'spki' })).toBe(pem)
  expect(readPublicKey(pem)).toEqual(publicKey)
  expect(readPublicKey(`\n${pem.replaceAll('\n', '\r\n')}`)).toEqual(publicKey)
  const x25519 = pem.replace('MCowBQYDK2Vw', 'MCowBQYDK2Vu')
  for (const wrong of ['', 'key', pem.slice(0, 60), pem.replace('PUBLIC', 'PRIVATE'), x25519, pem + pem])
    expect(readPublicKey(wrong)).toBeUndefined()
})
