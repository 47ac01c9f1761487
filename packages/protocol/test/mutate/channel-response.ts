import { isDeepStrictEqual } from 'node:util'
import type { ResponseBinding } from '../../src/presentation.ts'
import { mutateBytes } from './bytes.ts'
import { mutateCbor } from './cbor.ts'
import type { ChannelSample } from './channel-samples.ts'
import { pick, type Edit } from './edit.ts'
import { mutateJson } from './json.ts'
import { mutateRepeatedly } from './mutate-repeatedly.ts'

/** The posted form, and whether it may be accepted at all: nothing may that was signed for something else. */
export type ChannelResponse = { body: string; may_be_accepted: boolean }

type Layer = (sample: ChannelSample, changes: Edit[]) => Promise<ChannelResponse>

/**
 * Mutates one layer of a response: the form, the encrypted message, its plaintext, the presentation inside, or what the wallet
 * signed for. The inner layers are encrypted correctly afterwards, so that the mutation reaches the verifier.
 */
export function mutateChannelResponse(
  sample: ChannelSample,
  layer: number,
  changes: Edit[],
): Promise<ChannelResponse> {
  return pick(layers, layer)(sample, changes)
}

const layers: Layer[] = [
  async (sample, changes) => {
    const body = buildForm(sample, await encryptValid(sample))
    return { body: repeat(body, changes, mutateText), may_be_accepted: true }
  },
  async (sample, changes) => {
    const response = repeat(await encryptValid(sample), changes, mutateEncrypted)
    return { body: buildForm(sample, response), may_be_accepted: true }
  },
  async (sample, changes) => {
    const plaintext = repeat(sample.buildPlaintext(sample.presentation), changes, mutatePlaintext)
    return send(sample, plaintext)
  },
  async (sample, changes) => send(sample, sample.buildPlaintext(mutateRepeatedly(sample, changes))),
  async (sample, changes) => {
    const binding = repeat(sample.binding, changes, mutateBinding)
    const plaintext = sample.buildPlaintext(sample.presentFor(binding))
    // Encrypted for the session, or as consistently wrong as it was signed.
    const encryptedFor = (changes[0]?.length ?? 0) % 2 === 0 ? sample.binding : binding
    const response = await sample.encrypt(plaintext, encryptedFor)
    return { body: buildForm(sample, response), may_be_accepted: isSameBinding(sample, binding) }
  },
]

async function send(sample: ChannelSample, plaintext: Buffer): Promise<ChannelResponse> {
  const response = await sample.encrypt(plaintext, sample.binding)
  return { body: buildForm(sample, response), may_be_accepted: true }
}

function encryptValid(sample: ChannelSample): Promise<string> {
  return sample.encrypt(sample.buildPlaintext(sample.presentation), sample.binding)
}

function buildForm({ protocol }: ChannelSample, response: string): string {
  return new URLSearchParams({ protocol, response }).toString()
}

function repeat<T>(valid: T, changes: Edit[], mutate: (value: T, edit: Edit) => T): T {
  return changes.reduce((value, edit) => {
    try {
      return mutate(value, edit)
    } catch {
      // After an earlier edit it is no longer CBOR or JSON, or has nothing to choose from. Leave it unchanged.
      return value
    }
  }, valid)
}

function mutateText(text: string, edit: Edit): string {
  return mutateBytes(Buffer.from(text, 'latin1'), edit).toString('latin1')
}

/** A JWE has parts of base64url, the first of which is JSON; an EncryptedResponse is CBOR. */
function mutateEncrypted(response: string, edit: Edit): string {
  const rest = { ...edit, what: Math.floor(edit.what / 3) }
  if (edit.what % 3 === 0) return mutateText(response, rest)
  if (!response.includes('.')) {
    const change = edit.what % 3 === 1 ? mutateBytes : mutateCbor
    return change(Buffer.from(response, 'base64url'), rest).toString('base64url')
  }
  const parts = response.split('.')
  const index = edit.value % parts.length
  const bytes = Buffer.from(parts[index] ?? '', 'base64url')
  const changed = index === 0 && edit.what % 3 === 1 ? mutatePlaintext(bytes, rest) : mutateBytes(bytes, rest)
  return parts.with(index, changed.toString('base64url')).join('.')
}

/** JSON or CBOR, or its bytes. */
function mutatePlaintext(plaintext: Buffer, edit: Edit): Buffer {
  const rest = { ...edit, what: Math.floor(edit.what / 4) }
  if (edit.what % 4 === 0) return mutateBytes(plaintext, rest)
  if (plaintext[0] !== openingBrace) return mutateCbor(plaintext, rest)
  return Buffer.from(JSON.stringify(mutateJson(JSON.parse(plaintext.toString()), rest)) ?? '')
}

const openingBrace = 0x7b

/** Changes one member in its text, or adds what a lenient comparison would ignore. */
function mutateBinding(binding: ResponseBinding, edit: Edit): ResponseBinding {
  const names = Object.keys(binding).filter((name) => name !== 'channel')
  const name = pick(names, edit.where)
  const text = String(Reflect.get(binding, name))
  const variants = [`${text}/`, ` ${text}`, text.toUpperCase(), `origin:${text}`, text.slice(0, -1), '']
  const changed =
    edit.what % 2 === 0 ? mutateText(text, { ...edit, what: edit.value }) : pick(variants, edit.value)
  return { ...binding, [name]: changed }
}

/** An SD-JWT VC is bound to origin and nonce only; that it is encrypted with the verification's key binds it to that. */
function isSameBinding({ id, binding }: ChannelSample, other: ResponseBinding): boolean {
  if (id === 'card' && binding.channel === 'dc_api' && other.channel === 'dc_api')
    return binding.origin === other.origin && binding.nonce === other.nonce
  return isDeepStrictEqual(normalise(binding), normalise(other))
}

/** Two texts can be the same thumbprint, because base64url is decoded. */
function normalise(binding: ResponseBinding): unknown {
  if (!('encryption_key_thumbprint' in binding) || binding.encryption_key_thumbprint === undefined)
    return binding
  return {
    ...binding,
    encryption_key_thumbprint: Buffer.from(binding.encryption_key_thumbprint, 'base64url'),
  }
}
