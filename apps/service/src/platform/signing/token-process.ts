import { readFileSync } from 'node:fs'
import type * as Pkcs11 from 'pkcs11js'
import type { PKCS11 } from 'pkcs11js'
import type { SignMessage, StartMessage, TokenMessage } from './token-messages.ts'

// The program of the process that holds the sessions with a PKCS#11 token. It is a process of its own because a module is native
// code of a vendor: it may block, crash, or keep a broken state until it is loaded again. The service ends it and starts another.

type Handle = Parameters<PKCS11['C_SignInit']>[2]
type Job = { message: SignMessage; key: Handle }

/** As many as Node's thread pool has threads; each signs in one. */
const sessionCount = 4
const p256 = '06082a8648ce3d030107'
const userType = 1

class StartError extends Error {
  /** Trying again would not help, or would lock the PIN. */
  readonly permanent: boolean

  constructor(message: string, permanent = false) {
    super(message)
    this.permanent = permanent
  }
}

// Ctrl-C and service managers signal every process. The service still needs signatures while it finishes its requests.
process.on('SIGINT', () => {}).on('SIGTERM', () => {})
// The service has ended. A thread inside the module may never return, and an ordinary exit would wait for it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.once('message', (message: StartMessage) => {
  start(message).catch((error: unknown) =>
    send({
      kind: 'not started',
      reason: error instanceof Error ? error.message : String(error),
      permanent: error instanceof StartError && error.permanent,
    }),
  )
})

async function start({ module_path, pin_file, token }: StartMessage): Promise<void> {
  const pkcs11 = await loadAddon()
  const pin = readPin(pin_file)
  const module = loadModule(pkcs11, module_path)
  const slots = module.C_GetSlotList(true).filter((slot) => readLabel(module, slot) === token)
  const [slot] = slots
  if (slot === undefined) throw new StartError(`the module has no token labelled ${token}`)
  if (slots.length > 1) throw new StartError(`the module has ${slots.length} tokens labelled ${token}`)
  const sessions = Array.from({ length: sessionCount }, () =>
    module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION),
  )
  const [first] = sessions
  if (first === undefined) throw new StartError('no session')
  logIn(module, first, pin, { pin_file, token })
  serve(pkcs11, module, sessions)
  send({ kind: 'started' })
}

type Addon = typeof Pkcs11

/** The package is optional, and npm does not compile it by itself here. */
async function loadAddon(): Promise<Addon> {
  try {
    const addon = await import('pkcs11js')
    return addon.default
  } catch {
    throw new StartError(
      'the package pkcs11js is not installed or not compiled; run: npm rebuild pkcs11js --ignore-scripts=false',
      true,
    )
  }
}

function readPin(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new StartError(`the PIN file ${file} cannot be read (${code})`)
  }
}

function loadModule(pkcs11: Addon, path: string): PKCS11 {
  const module = new pkcs11.PKCS11()
  try {
    module.load(path)
  } catch {
    throw new StartError(`the module ${path} cannot be loaded`)
  }
  // The module may be called by several threads at once and uses the operating system's locks.
  module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK })
  return module
}

function readLabel(module: PKCS11, slot: Handle): string | undefined {
  try {
    return module.C_GetTokenInfo(slot).label.trim()
  } catch {
    // A reader whose token is just being removed.
    return undefined
  }
}

function logIn(
  module: PKCS11,
  session: Handle,
  pin: string,
  { pin_file, token }: { pin_file: string; token: string },
): void {
  try {
    module.C_Login(session, userType, pin)
  } catch (error) {
    const name = errorName(error)
    if (/^CKR_PIN_(?:INCORRECT|INVALID|LEN_RANGE)$/.test(name))
      throw new StartError(`the PIN in ${pin_file} is wrong`, true)
    if (name === 'CKR_PIN_LOCKED')
      throw new StartError(`the PIN of token ${token} is locked after too many attempts`, true)
    throw error
  }
}

/** Each session signs one digest at a time; further ones wait. */
function serve(pkcs11: Addon, module: PKCS11, sessions: readonly Handle[]): void {
  const idle = [...sessions]
  const waiting: Job[] = []
  const keys = new Map<string, Handle | string>()

  process.on('message', (message: SignMessage) => {
    const name = JSON.stringify(message.key)
    const key = keys.get(name) ?? findKey(pkcs11, module, sessions[0], message)
    if (typeof key === 'string') {
      send({ kind: 'no key', id: message.id, reason: key })
      return
    }
    keys.set(name, key)
    waiting.push({ message, key })
    dispatch()
  })

  function dispatch(): void {
    while (idle.length > 0 && waiting.length > 0) {
      const session = idle.pop()
      const job = waiting.shift()
      if (session === undefined || job === undefined) return
      // What the module, the token or the session is fit for now is unknown: the service starts another process.
      sign(session, job).catch((error: unknown) => send({ kind: 'failed', reason: errorName(error) }))
    }
  }

  async function sign(session: Handle, { message: { id, digest }, key }: Job): Promise<void> {
    module.C_SignInit(session, { mechanism: pkcs11.CKM_ECDSA }, key)
    const signature = await module.C_SignAsync(session, Buffer.from(digest), Buffer.alloc(64))
    idle.push(session)
    send({ kind: 'signed', id, signature })
    dispatch()
  }
}

/** The private key, or why there is none that can be used. */
function findKey(
  pkcs11: Addon,
  module: PKCS11,
  session: Handle | undefined,
  { key: { object, id } }: SignMessage,
): Handle | string {
  if (session === undefined) return 'no session'
  const name = [object, id].filter((each) => each !== undefined).join(', id ')
  try {
    module.C_FindObjectsInit(session, [
      { type: pkcs11.CKA_CLASS, value: pkcs11.CKO_PRIVATE_KEY },
      ...(object === undefined ? [] : [{ type: pkcs11.CKA_LABEL, value: object }]),
      ...(id === undefined ? [] : [{ type: pkcs11.CKA_ID, value: Buffer.from(id, 'hex') }]),
    ])
    const found = module.C_FindObjects(session, 2)
    module.C_FindObjectsFinal(session)
    const [key] = found
    if (key === undefined) return `the token has no private key ${name}`
    if (found.length > 1) return `the token has more than one private key ${name}`
    const [params] = module.C_GetAttributeValue(session, key, [{ type: pkcs11.CKA_EC_PARAMS }])
    const isP256 = Buffer.isBuffer(params?.value) && params.value.toString('hex') === p256
    return isP256 ? key : `the key ${name} is not on the curve P-256`
  } catch (error) {
    // An RSA key has no curve.
    if (errorName(error) === 'CKR_ATTRIBUTE_TYPE_INVALID') return `the key ${name} is not on the curve P-256`
    return `the key ${name} cannot be read (${errorName(error)})`
  }
}

function errorName(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return /CKR_\w+/.exec(message)?.[0] ?? message
}

function send(message: TokenMessage): void {
  process.send?.(message)
}
