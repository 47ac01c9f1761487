import { readFileSync } from 'node:fs'
import type { PKCS11 } from 'pkcs11js'
import { type StartMessage, type HsmMessage, type WorkMessage, errorName } from './hsm-messages.ts'
import { findKey, type Addon, type Handle } from './find-key.ts'
import { useKey } from './use-key.ts'

// The program of the process that holds the sessions with a PKCS#11 token. It is a process of its own because a module is native
// code of a vendor: it may block, crash, or keep a broken state until it is loaded again. The service ends it and starts another.

type Job = { message: WorkMessage; key: Handle }

/** As many as Node's thread pool has threads; each works in one. */
const sessionCount = 4
const userType = 1

class StartError extends Error {
  /** Trying again would not help, or would lock the PIN. */
  readonly permanent: boolean

  constructor(message: string, permanent = false) {
    super(message)
    this.permanent = permanent
  }
}

// Ctrl-C and service managers signal every process. The service still needs the token while it finishes its requests.
process.on('SIGINT', () => {}).on('SIGTERM', () => {})
// The service has ended. A thread inside the module may never return, and an ordinary exit would wait for it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.once('message', (message: StartMessage) => {
  start(message).catch((error: unknown) =>
    send({
      kind: 'not started',
      reason:
        error instanceof StartError ? error.message : `the token cannot be opened (${errorName(error)})`,
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
  try {
    module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK })
  } catch (error) {
    throw new StartError(`the module ${path} cannot be initialised (${errorName(error)})`)
  }
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

/** Each session does one thing at a time; further ones wait. */
function serve(pkcs11: Addon, module: PKCS11, sessions: readonly Handle[]): void {
  const idle = [...sessions]
  const waiting: Job[] = []
  const keys = new Map<string, Handle | string>()

  process.on('message', (message: WorkMessage) => {
    const name = JSON.stringify([message.key, message.work.kind])
    const key = keys.get(name) ?? findKey({ pkcs11, module, session: sessions[0] as Handle }, message) // there are several
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
      work(session, job).catch((error: unknown) => send({ kind: 'failed', reason: errorName(error) }))
    }
  }

  async function work(session: Handle, { message, key }: Job): Promise<void> {
    const { id } = message
    const used = await useKey({ pkcs11, module, session }, key, message.work)
    idle.push(session)
    if (used === 'not decrypted') send({ kind: 'not decrypted', id })
    else if ('unfit' in used) send({ kind: 'no key', id, reason: used.unfit })
    else send({ kind: 'done', id, bytes: used.bytes })
    dispatch()
  }
}

function send(message: HsmMessage): void {
  // If the service has just ended, so does this process.
  process.send?.(message, undefined, undefined, () => {})
}
