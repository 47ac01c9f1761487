import { LocalError } from './error.ts'

/** Asks the member to confirm that it is them. Rejects if they do not. */
type AskForConfirmation = () => Promise<void>

let askForConfirmation: AskForConfirmation | undefined
let pending: Promise<void> | undefined

/** Sets how members are asked. Returns a function that removes it. */
export function setConfirmationPrompt(ask: AskForConfirmation): () => void {
  askForConfirmation = ask
  return () => {
    askForConfirmation = undefined
  }
}

/** Requests that need a confirmation at the same time share one. */
export function requestConfirmation(): Promise<void> {
  pending ??= (askForConfirmation?.() ?? Promise.reject(new LocalError('not_confirmed'))).finally(() => {
    pending = undefined
  })
  return pending
}
