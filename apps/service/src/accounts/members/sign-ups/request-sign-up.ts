import { randomUUID } from 'node:crypto'
import type { RequestSignUp } from '@vidimus/contract'
import {
  type MailContent,
  enqueueSignUpMail,
  recordsAsService,
  takeSignUpMail,
} from '../../../audit/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { AddressKey } from '../../../engine/limits/index.ts'
import { takeAttempt } from '../../sign-in/store.ts'
import { newToken } from '../../sign-in/tokens.ts'
import { insertSignUp } from './store.ts'

export const signUpLifetime_minutes = 15

/** Sign-ups from one address: a burst, then a rate. */
export const maxSignUps = { burst: 5, per_hour: 5 }
const retryAfter_seconds = 3600 / maxSignUps.per_hour

type SignUpRequest = RequestSignUp & { address: AddressKey }

/**
 * Mails a link that opens an account. A member of any tenant gets a mail that says so instead. The caller cannot tell one from the other:
 * the result and the statements are the same.
 */
export async function requestSignUp(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { organisation, email, language = 'en', address }: SignUpRequest,
): Promise<void> {
  const { config, db, keyring } = ctx
  if (config.SIGN_UP === 'off') throw new Refusal('not_found', 'Nobody can sign up here.')
  const attempt = { address: `sign-up ${address}`, ...maxSignUps }
  if (config.RATE_LIMITS !== 'off' && !(await takeAttempt(db, attempt)))
    throw new Refusal(
      'rate_limit_exceeded',
      'Too many sign-ups from this address. Try again later.',
      retryAfter_seconds,
    )
  const { token, token_hash } = newToken(config)
  await db.transaction(async (tx) => {
    // Whoever asks too often for one address learns nothing either.
    if (!(await takeSignUpMail(tx, keyring, email))) return
    const [id, member_id] = [randomUUID(), randomUUID()]
    const lifetime_minutes = signUpLifetime_minutes
    const isNew = await insertSignUp(tx, { token_hash, id, member_id, email, organisation, lifetime_minutes })
    const content = isNew
      ? composeLink(language, config.BASE_URL, token)
      : composeKnown(language, config.BASE_URL)
    await enqueueSignUpMail(tx, keyring, { recipient: email, content, lifetime_minutes })
    await recordsAsService('installation.sign_up_requested')(tx, {
      domain: email.slice(email.lastIndexOf('@') + 1),
      known: !isNew,
    })
  })
}

/** Neither has anything that its sender wrote: strangers choose the recipient. */
const languages = {
  en: {
    subject: (host: string) => `Your account at ${host}`,
    requested: (host: string) => `Somebody asked for an account at ${host} with this e-mail address.`,
    next: `The link opens it. It works once, within ${signUpLifetime_minutes} minutes.`,
    open: 'Open the account',
    known: 'You have one already. Sign in with your passkey.',
    sign_in: 'Sign in',
    footer: 'If it was not you, ignore this mail: nothing happens.',
  },
  de: {
    subject: (host: string) => `Ihr Konto bei ${host}`,
    requested: (host: string) => `Mit dieser E-Mail-Adresse wurde ein Konto bei ${host} angefragt.`,
    next: `Der Link eröffnet es. Er funktioniert einmal, innerhalb von ${signUpLifetime_minutes} Minuten.`,
    open: 'Konto eröffnen',
    known: 'Sie haben bereits eines. Melden Sie sich mit Ihrem Passkey an.',
    sign_in: 'Anmelden',
    footer: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Es geschieht nichts.',
  },
}

function composeLink(language: 'en' | 'de', base_url: string, token: string): MailContent {
  const { subject, requested, next, open, footer } = languages[language]
  const { host } = new URL(base_url)
  return {
    language,
    subject: subject(host),
    paragraphs: [requested(host), next],
    // The token is in the fragment, which browsers do not send and servers do not log.
    link: { label: open, url: `${base_url}/dashboard/invitation#${token}` },
    footer,
  }
}

function composeKnown(language: 'en' | 'de', base_url: string): MailContent {
  const { subject, requested, known, sign_in, footer } = languages[language]
  const { host } = new URL(base_url)
  return {
    language,
    subject: subject(host),
    paragraphs: [requested(host), known],
    link: { label: sign_in, url: `${base_url}/dashboard/sign-in` },
    footer,
  }
}
