import type { Keyring } from '../../engine/keyring/index.ts'
import type { RenderedMail } from './render.ts'
import { tables } from '../../engine/db/index.ts'

/** Where mails wait in the queue of webhooks, in place of a receiver's host. */
export const mailHost = 'mail:'

/** Binds the sealed content to its purpose. */
const mailUse = tables.mails.sealed.sealed

export function sealContent(keyring: Keyring, { subject, text, html }: RenderedMail): Buffer {
  return keyring.seal(mailUse, Buffer.from(JSON.stringify({ subject, text, html })))
}

export async function unsealContent(keyring: Keyring, sealed: Uint8Array): Promise<RenderedMail> {
  return JSON.parse((await keyring.unseal(mailUse, sealed)).toString()) as RenderedMail // sealed by the function above
}
