import type { Registration } from '@vidimus/protocol'

/** What a registration certificate says, without itself and without what was found about it, which changes. */
export type RegistrationContents = Omit<Registration, 'token' | 'findings' | 'issuer_trusted'>

export function toContents({
  token: _,
  findings: __,
  issuer_trusted: ___,
  ...contents
}: Registration): RegistrationContents {
  return contents
}

const maxName_characters = 64

/** The default name of a registration: what it is for. */
export function suggestName({ purpose, intended_use_id, name, identifiers }: RegistrationContents): string {
  const purposeText = (purpose.find(({ lang }) => lang.startsWith('en')) ?? purpose[0])?.value
  const suggested = purposeText ?? intended_use_id ?? name ?? identifiers[0]?.identifier ?? 'Registration'
  return Array.from(suggested).slice(0, maxName_characters).join('')
}
