import { findPersona, personas, respond, createWallet, type Fetch, type Persona } from '@vidimus/sandbox'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { openSandboxIssuer } from './open-sandbox.ts'

export function listPersonas(): { name: string; description: string }[] {
  return personas.map(({ name, description }) => ({ name, description }))
}

/** Finds a persona by name, or refuses. */
export function requirePersona(name: string): Persona {
  const persona = findPersona(name)
  if (persona === undefined) throw new Refusal('unknown_persona', `There is no persona ${name.slice(0, 64)}.`)
  return persona
}

export type RespondAsPersona = {
  persona: Persona
  wallet_uri: string
  /** How the wallet reaches the service. */
  fetch: Fetch
  now: Date
}

/**
 * Has the sandbox wallet respond to a request of the test environment as a persona. A persona that responds late does not
 * respond here.
 */
export async function respondAsPersona(
  ctx: Pick<Context, 'db' | 'keyring'>,
  { persona, wallet_uri, fetch, now }: RespondAsPersona,
): Promise<void> {
  if (persona.behaviour === 'responds_late') return
  const issuer = await openSandboxIssuer(ctx)
  const responded = await respond({
    wallet: createWallet(persona, { issuer, now }),
    wallet_uri,
    fetch,
    now: () => now,
    sleep: async () => {},
    behaviour: persona.behaviour ?? 'responds',
  })
  if (!responded.sent)
    throw new Error(
      `The sandbox wallet rejected the request: ${responded.violations.map(({ rule }) => rule).join(', ')}`,
    )
}
