/** `unknown`: the connection was lost while the commit was being sent. */
export type TransactionOutcome = 'committed' | 'rolled_back' | 'unknown'

type EndListener = (outcome: TransactionOutcome) => Promise<void>

/** By the object that the transaction's statements run through. */
const listenersOf = new WeakMap<object, EndListener[]>()

/** Makes `onTransactionEnd` possible for a new transaction. */
export function openTransaction(tx: object): void {
  listenersOf.set(tx, [])
}

/**
 * Calls the listener once the transaction has ended and before its caller goes on. A listener must not throw: the outcome stands.
 * Throws if `tx` is not an open transaction, because what must commit together would not.
 */
export function onTransactionEnd(tx: object, listener: EndListener): void {
  const listeners = listenersOf.get(tx)
  if (listeners === undefined) throw new Error('this needs a transaction')
  listeners.push(listener)
}

/** Tells the listeners how a transaction ended. */
export async function endTransaction(tx: object, outcome: TransactionOutcome): Promise<void> {
  const listeners = listenersOf.get(tx) ?? []
  listenersOf.delete(tx)
  for (const listener of listeners) await listener(outcome)
}
