import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { signInFailed } from './relying-party.ts'

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)
const maxIdLength = 1400
const common = {
  id: base64url(maxIdLength),
  rawId: base64url(maxIdLength),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
}
const transports = z.array(z.string().max(32)).max(10).optional().catch(undefined)

const Registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url(8192),
    attestationObject: base64url(65_536),
    transports,
  }),
})

const Assertion = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url(8192),
    authenticatorData: base64url(8192),
    signature: base64url(2048),
    userHandle: base64url(128).optional(),
  }),
})

/** A browser's registration response in WebAuthn's JSON form, without the members that are not used. */
export function readRegistration(given: unknown): RegistrationResponseJSON {
  const { response, ...rest } = parseOrRefuse(Registration, given)
  return { ...rest, response, clientExtensionResults: {} } as RegistrationResponseJSON // checked by the schema above
}

export function readAssertion(given: unknown): AuthenticationResponseJSON {
  const { response, ...rest } = parseOrRefuse(Assertion, given)
  return { ...rest, response, clientExtensionResults: {} } as AuthenticationResponseJSON // checked by the schema above
}

function parseOrRefuse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw signInFailed()
  return parsed.data
}
