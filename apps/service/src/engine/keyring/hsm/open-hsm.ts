import { fork, type ChildProcess } from 'node:child_process'
import type { Log } from '../../observability/log.ts'
import { Refusal } from '../../basics/refusal.ts'
import { type HsmKey, HsmKeyError, signingUnavailable } from '../hsm.ts'
import {
  NotDecryptedError,
  type StartMessage,
  type HsmLimits,
  type HsmMessage,
  type HsmWork,
  type WorkMessage,
  hsmLimits,
} from './hsm-messages.ts'

export type Hsm = {
  /** Waits until the token was opened, or failed to: `problem` then says why. Work need not wait for it, but has less time. */
  open(): Promise<void>
  /**
   * Signs, encrypts or decrypts with a key of the token. Rejects with a refusal while the token cannot be used, with a `HsmKeyError` if it
   * lacks the key, and with a `NotDecryptedError` if another key has encrypted the value.
   */
  perform(key: HsmKey, work: HsmWork): Promise<Uint8Array>
  /** Why the token cannot be used now. */
  problem(): string | undefined
  /** Whether no further attempt is made: it would fail in the same way, or lock the PIN. */
  isRefused(): boolean
  /** Ends the process until the token is needed again, if nothing waits for it. */
  rest(): void
  close(): void
}

export type OpenHsm = StartMessage & {
  log: Log
  onUsable?: (usable: boolean) => void
  limits?: HsmLimits
}

type Pending = {
  id: number
  key: HsmKey
  work: HsmWork
  attempts: number
  resolve: (bytes: Uint8Array) => void
  reject: (error: unknown) => void
}

const maxAttempts = 2
const firstPause_ms = 100

/**
 * A PKCS#11 token, used by a separate process that starts when it is first needed. When the process ends, hangs or reports an error,
 * another one takes its place, and what was waiting is tried once more. While no process can be started, everything is refused at once.
 */
export function openHsm({ log, onUsable, limits = hsmLimits, token, module_path, pin_file }: OpenHsm): Hsm {
  const waiting: Pending[] = []
  const sent = new Map<number, Pending>()
  let child: ChildProcess | undefined
  let started = false
  let problem: string | undefined
  let permanent = false
  let failures = 0
  let lastId = 0
  let lastDone_ms = 0
  let signingKey: HsmKey | undefined
  let closed = false
  let restarting: NodeJS.Timeout | undefined
  let starting: NodeJS.Timeout | undefined
  let opened = Promise.withResolvers<void>()
  const probing = setInterval(probe, limits.probe_ms).unref()

  return {
    open() {
      if (child === undefined && restarting === undefined && !closed && !permanent) start()
      return opened.promise
    },
    perform(key, work) {
      if (key.token !== token)
        return Promise.reject(new HsmKeyError(`the key is in another token, ${key.token}`))
      if (problem !== undefined || closed) return Promise.reject(signingUnavailable())
      if (waiting.length >= limits.maxWaiting) return Promise.reject(overloaded())
      return enqueue(key, work)
    },
    problem: () => problem,
    isRefused: () => permanent,
    rest() {
      if (closed || permanent || waiting.length + sent.size > 0) return
      clearTimeout(restarting)
      clearTimeout(starting)
      restarting = undefined
      const resting = child
      child = undefined
      started = false
      failures = 0
      problem = undefined
      opened.resolve()
      opened = Promise.withResolvers()
      resting?.kill('SIGKILL')
    },
    close() {
      closed = true
      clearInterval(probing)
      clearTimeout(restarting)
      clearTimeout(starting)
      rejectAll()
      opened.resolve()
      child?.kill('SIGKILL')
    },
  }

  function enqueue(key: HsmKey, work: HsmWork): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    lastId += 1
    const pending = { id: lastId, key, work, attempts: 0, resolve, reject }
    const called_ms = performance.now()
    const deadline = setTimeout(() => expire(pending, called_ms), limits.deadline_ms)
    waiting.push(pending)
    if (child === undefined && restarting === undefined) start()
    dispatch()
    return promise.finally(() => clearTimeout(deadline))
  }

  function start(): void {
    restarting = undefined
    started = false
    const process = fork(new URL('./hsm-process.ts', import.meta.url), {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child = process
    starting = setTimeout(
      () => giveUp(process, `the module did not open the token within ${limits.start_ms / 1000} s`),
      limits.start_ms,
    )
    process.on('message', (message: HsmMessage) => {
      if (process === child) onMessage(process, message)
    })
    process.on('error', (error) => giveUp(process, `its process cannot be started: ${error.message}`))
    process.on('exit', () => giveUp(process, 'its process ended'))
    process.send({ token, module_path, pin_file } satisfies StartMessage, ignoreClosed)
  }

  function onMessage(process: ChildProcess, message: HsmMessage): void {
    switch (message.kind) {
      case 'started':
        clearTimeout(starting)
        started = true
        // After a failure only a signature shows that the token is usable again.
        if (failures > 0 && signingKey !== undefined) probe()
        else markUsable()
        dispatch()
        break
      case 'done':
        lastDone_ms = performance.now()
        failures = 0
        markUsable()
        endPending(message.id, ({ key, work, resolve }) => {
          if (work.kind === 'sign') signingKey = key
          resolve(message.bytes)
        })
        dispatch()
        break
      case 'not decrypted':
        lastDone_ms = performance.now()
        endPending(message.id, ({ reject }) => reject(new NotDecryptedError()))
        dispatch()
        break
      case 'no key':
        log.error({ reason: message.reason }, 'the PKCS#11 token lacks a key')
        endPending(message.id, ({ reject }) => reject(new HsmKeyError(message.reason)))
        dispatch()
        break
      case 'not started':
        permanent = message.permanent
        giveUp(process, message.reason)
        break
      case 'failed':
        giveUp(process, `it failed (${message.reason})`)
        break
    }
  }

  /** Ends the process and plans the next one. The first failure of a token that worked is not yet a problem. */
  function giveUp(process: ChildProcess, reason: string): void {
    if (process !== child || closed) return
    child = undefined
    clearTimeout(starting)
    process.kill('SIGKILL')
    failures += 1
    requeue()
    if (!started || failures > 1) markUnusable(reason)
    else log.warn({ reason }, 'the PKCS#11 token failed; opening it again')
    started = false
    if (permanent) return
    const pause_ms = Math.min(firstPause_ms * 2 ** (failures - 1), limits.maxPause_ms)
    restarting = setTimeout(start, pause_ms)
  }

  function requeue(): void {
    const again = [...sent.values()].filter((pending) => {
      pending.attempts += 1
      if (pending.attempts >= maxAttempts) pending.reject(signingUnavailable())
      return pending.attempts < maxAttempts
    })
    sent.clear()
    waiting.unshift(...again)
  }

  function markUnusable(reason: string): void {
    if (problem !== reason) log.error({ reason, permanent }, 'the PKCS#11 token cannot be used')
    problem = reason
    opened.resolve()
    onUsable?.(false)
    rejectAll()
  }

  function markUsable(): void {
    if (problem !== undefined) log.info('the PKCS#11 token can be used again')
    problem = undefined
    opened.resolve()
    onUsable?.(true)
  }

  function rejectAll(): void {
    for (const { reject } of [...waiting.splice(0), ...sent.values()]) reject(signingUnavailable())
    sent.clear()
  }

  function dispatch(): void {
    while (started && sent.size < limits.maxSent) {
      const next = waiting.shift()
      if (next === undefined) return
      sent.set(next.id, next)
      const { id, key, work } = next
      child?.send({ id, key: withoutLabel(key), work } satisfies WorkMessage, ignoreClosed)
    }
  }

  function endPending(id: number, finish: (pending: Pending) => void): void {
    const pending = sent.get(id)
    if (pending === undefined) return
    sent.delete(id)
    finish(pending)
  }

  function expire(pending: Pending, called_ms: number): void {
    const wasSent = sent.delete(pending.id)
    const index = waiting.indexOf(pending)
    if (index >= 0) waiting.splice(index, 1)
    pending.reject(signingUnavailable())
    const isHung = wasSent && lastDone_ms < called_ms
    if (isHung && child !== undefined) {
      // A hung token is not tried with another caller's time.
      failures += 1
      giveUp(child, `it did not answer within ${limits.deadline_ms / 1000} s`)
    }
  }

  /** A signature that nobody waits for. Its failure is handled like any other's. */
  function probe(): void {
    if (child === undefined || !started || signingKey === undefined || waiting.length + sent.size > 0) return
    if (problem === undefined && performance.now() - lastDone_ms < limits.probe_ms) return
    enqueue(signingKey, { kind: 'sign', digest: probeDigest }).catch(() => {})
  }
}

/** Not the digest of anything that is signed. */
const probeDigest = new Uint8Array(32)

function withoutLabel({ token: _, ...key }: HsmKey): Omit<HsmKey, 'token'> {
  return key
}

/** A process that has ended cannot be sent to; its `exit` event handles that. */
function ignoreClosed(): void {}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'Too many requests are waiting to be signed. Try again in a moment.', 1)
}
