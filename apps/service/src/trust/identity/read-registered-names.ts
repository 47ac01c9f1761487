import type { VerifierAttestation } from '@vidimus/protocol'
import { z } from 'zod'

type RegisteredNames = {
  name?: string
  /** Whether the registration says that somebody else asks on behalf of the registered one. */
  intermediated: boolean
  intermediary?: string
}

const Name = z.string().trim().min(1).max(300).optional().catch(undefined)

/** The members of a registration certificate that name somebody (ETSI TS 119 475 V1.2.1 §5.2.4; `sub` is an object in V1.1.1). */
const RegistrationNames = z.object({
  name: Name,
  sub_ln: Name,
  sub: z.object({ legal_name: Name }).optional().catch(undefined),
  intermediary: z.object({ name: Name, sname: Name }).optional().catch(undefined),
  act: z.object({ sub: z.unknown(), name: Name }).optional().catch(undefined),
})

/**
 * The names in the registration certificate that a request carries. It was checked when it was stored, so here it is only read.
 * Undefined if there is none that can be read.
 */
export function readRegisteredNames(
  verifierInfo: readonly VerifierAttestation[],
): RegisteredNames | undefined {
  const { data } = verifierInfo.find(({ format }) => format === 'registration_cert') ?? {}
  if (typeof data !== 'string') return undefined
  const token = data.includes('.') ? data : Buffer.from(data, 'base64url').toString()
  const parsed = RegistrationNames.safeParse(parsePayload(token))
  if (!parsed.success) return undefined
  const { name, sub_ln, sub, intermediary, act } = parsed.data
  const registered = name ?? sub_ln ?? sub?.legal_name
  const asking = intermediary?.name ?? intermediary?.sname ?? act?.name
  return {
    ...(registered !== undefined && { name: registered }),
    intermediated: intermediary !== undefined || act !== undefined,
    ...(asking !== undefined && { intermediary: asking }),
  }
}

function parsePayload(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    // An imported attestation may be anything.
    return undefined
  }
}
