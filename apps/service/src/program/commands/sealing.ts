import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { PublicJwk, RegisteredSealingKey, SealedText, SealingKey, SealingKeyList } from '@vidimus/contract'
import { calculateJwkThumbprint, errors, generalDecrypt, importJWK } from 'jose'
import { z } from 'zod'
import { callForJson, findService, serviceOptions } from './call-service.ts'
import { CommandError, UsageError, command, printMessage, printResult } from './command.ts'
import { jsonOption, readFileOption } from './options.ts'

const PrivateJwk = z.object({ ...PublicJwk.shape, d: z.string() })
type PrivateJwk = z.infer<typeof PrivateJwk>

export const sealingKeyCreateCommand = command({
  options: {
    'private-key': {
      type: 'string',
      required: true,
      description: 'file to write the private key to. It must not exist',
    },
    json: jsonOption,
  },
  async run({ values }) {
    const file = values['private-key']
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = PrivateJwk.parse(privateKey.export({ format: 'jwk' }))
    try {
      writeFileSync(file, `${JSON.stringify(jwk)}\n`, { mode: 0o600, flag: 'wx' })
    } catch {
      // It exists, or its folder does not or is not writable.
      throw new CommandError(`Can't create ${file}. An existing key is never overwritten.`)
    }
    const kid = await calculateJwkThumbprint(jwk)
    printResult(values, { kid, file }, [
      kid,
      `The private key is in ${file}. Keep a copy: without it, results that were sealed to it are lost.`,
    ])
  },
})

export const sealingKeyRegisterCommand = command({
  options: {
    'private-key': {
      type: 'string',
      required: true,
      description: 'file with the private key. It is not sent',
    },
    name: { type: 'string', description: 'a name for your team' },
    json: jsonOption,
    ...serviceOptions,
  },
  async run({ values }) {
    const jwk = readPrivateKey(values['private-key'])
    const service = findService(values)
    const { kty, crv, x, y } = jwk
    const registered = await callForJson(service, '/v1/sealing_keys', {
      method: 'POST',
      json: { jwk: { kty, crv, x, y }, ...(values.name !== undefined && { name: values.name }) },
      schema: RegisteredSealingKey,
    })
    const challenge = await open(registered.challenge, [jwk])
    const key = await callForJson(service, `/v1/sealing_keys/${registered.key.kid}/activate`, {
      method: 'POST',
      json: { challenge },
      schema: SealingKey,
    })
    printResult(values, key, [key.kid, `Results of ${key.environment} are sealed to this key from now on.`])
  },
})

export const sealingKeyListCommand = command({
  options: { json: jsonOption, ...serviceOptions },
  async run({ values }) {
    const { data } = await callForJson(findService(values), '/v1/sealing_keys', { schema: SealingKeyList })
    printResult(
      values,
      data,
      data.map(({ kid, state, name = '', results }) => {
        const count = results === undefined ? '-' : `${results.count}${results.more ? '+' : ''}`
        return `${kid}  ${state}  ${count} stored results  ${name}`.trimEnd()
      }),
    )
  },
})

const Sealed = z.object({ id: z.string(), claims: z.object({ _sealed: SealedText }) })
const Opened = z.looseObject({ id: z.string() })

export const resultOpenCommand = command({
  positionals: ['FILE'],
  options: {
    'private-key': {
      type: 'string',
      required: true,
      description: 'file with a private key. Several are separated by commas',
    },
  },
  async run({ values, positionals }) {
    const file = positionals[0] ?? ''
    const keys = values['private-key'].split(',').map(readPrivateKey)
    const verification = readVerification(file)
    const opened = Opened.parse(JSON.parse(await open(verification.claims['_sealed'], keys)))
    if (opened.id !== verification.id) {
      printMessage(`The sealed result belongs to ${opened.id}, not to ${verification.id}. Do not accept it.`)
      return 1
    }
    process.stdout.write(`${JSON.stringify(opened, null, 2)}\n`)
    return 0
  },
})

/** A verification, or the payload of a webhook. */
function readVerification(file: string): z.infer<typeof Sealed> {
  const given = parse(file)
  const read = Sealed.safeParse(
    typeof given === 'object' && given !== null && 'verification' in given ? given.verification : given,
  )
  if (read.success) return read.data
  throw new CommandError(`${file} has no sealed result: claims._sealed is missing.`)
}

function readPrivateKey(file: string): PrivateJwk {
  const read = PrivateJwk.safeParse(parse(file))
  if (read.success) return read.data
  throw new UsageError(`${file} is not a private key on P-256 as a JWK`)
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileOption(file))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${file} is not valid JSON.`)
  }
}

async function open(sealed: SealedText, keys: readonly PrivateJwk[]): Promise<string> {
  const kids = await Promise.all(keys.map((key) => calculateJwkThumbprint(key)))
  const named = sealed.recipients.map(({ header }) => String(header?.['kid']))
  const key = keys.find((_, index) => named.includes(kids[index] ?? ''))
  if (key === undefined)
    throw new CommandError(
      `None of the given keys opens this. It was sealed to ${named.join(', ')}; you gave ${kids.join(', ')}.`,
    )
  const usable = await importJWK(key, 'ECDH-ES+A256KW').catch(() => {
    // WebCrypto refuses a private key that does not belong to its public one.
    throw new CommandError(
      'A private key must be the complete JWK of sealing-key.json: kty EC, crv P-256, x, y and d.',
    )
  })
  try {
    const { plaintext } = await generalDecrypt(
      // Its headers are objects; jose checks them.
      sealed as Parameters<typeof generalDecrypt>[0],
      usable,
    )
    return new TextDecoder().decode(plaintext)
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw new CommandError(
        'The key is named, but does not open this: the text was changed, or the private key is another one.',
      )
    throw error
  }
}
