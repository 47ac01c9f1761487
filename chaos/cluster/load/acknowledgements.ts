import { fork } from 'node:child_process'
import type { ReceiverMessage } from './webhook-receiver.ts'

/** What the service acknowledged to the clients of a load, and what they saw that contradicts it. */
export type Acknowledgements = {
  /** Ids by idempotency key. */
  created: Map<string, Set<string>>
  /** Creations that were sent and not acknowledged yet. */
  pending: Set<string>
  /** Ids whose wallet was told that its response is stored. */
  responded: Set<string>
  /** Ids whose erasure was sent, and those for which it was acknowledged, with the time. */
  erasing: Set<string>
  erased: Map<string, number>
  /** Ids by the number of webhooks that arrived. */
  received: Map<string, number>
  /** Reads that did not find an acknowledged verification that nobody erased. */
  not_found: string[]
  /** Reads that found a verification whose erasure had been acknowledged. */
  readable_after_erasure: string[]
  /** Webhooks about a verification whose erasure had been acknowledged, with when that was, when it was signed, and when it arrived. */
  sent_after_erasure: { erased_at: number; signed_at: number; arrived_at: number }[]
}

export function noAcknowledgements(): Acknowledgements {
  return {
    created: new Map(),
    pending: new Set(),
    responded: new Set(),
    erasing: new Set(),
    erased: new Map(),
    received: new Map(),
    not_found: [],
    readable_after_erasure: [],
    sent_after_erasure: [],
  }
}

/** How late the receiver may read a webhook on a busy machine. */
const maxReadDelay_ms = 2000

/** Receives webhooks, in a process of its own, and counts them by verification. */
export async function startWebhookReceiver({ received, erased, sent_after_erasure }: Acknowledgements) {
  const child = fork(new URL('./webhook-receiver.ts', import.meta.url))
  const listening = Promise.withResolvers<number>()
  child.on('message', (message: ReceiverMessage) => {
    if ('port' in message) return listening.resolve(message.port)
    const { id, arrived_at, signed_at } = message
    received.set(id, (received.get(id) ?? 0) + 1)
    const erased_at = erased.get(id) ?? Number.POSITIVE_INFINITY
    if (signed_at > erased_at || arrived_at > erased_at + maxReadDelay_ms)
      sent_after_erasure.push({ erased_at, signed_at, arrived_at })
  })
  return {
    url: `http://127.0.0.1:${await listening.promise}/hook`,
    async [Symbol.asyncDispose]() {
      child.kill()
    },
  }
}
