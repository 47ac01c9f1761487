export { isMailAddress } from './address.ts'
export { type MailFailure, type Mailer, openMailer } from './open-mailer.ts'
