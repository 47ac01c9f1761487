export { isMailAddress } from './address.ts'
export type { MailFailure } from './classify-mail-error.ts'
export { type Mailer, openMailer } from './open-mailer.ts'
