import type { AccessAction, AlertDetails, AlertKind } from '@vidimus/contract'

/** What a mail says about an alert: a subject line, and what happened and what to do. */
type AlertText = { title: string; body: string }

/** Each change of access as a sentence without its full stop. */
export type AccessTexts = Record<AccessAction, string>

/** The texts of mails in one language. A missing text does not compile. */
export type NotificationTexts = {
  alerts: { [Kind in AlertKind]: (details: AlertDetails[Kind], raised_at: string) => AlertText }
  environment: Record<'test' | 'live', string>
  subject(title: string, tenant: string): string
  openDashboard: string
  openAudit: string
  alertFooter(tenant: string): string
  linkResults: {
    title(count: number): string
    body: string
    /** One result. The visitor sees the same code. */
    result(result: { status: 'completed' | 'failed'; link: string; code: string; at: string }): string
    open: string
  }
  digest: { title(count: number): string; body(count: number): string; more(count: number): string }
}

export type MailLanguage = 'en' | 'de'

/** Dates and times, in UTC, and numbers as one language writes them. */
export function openFormats(locale: string): {
  day: (timestamp: string) => string
  minute: (timestamp: string) => string
  number: (value: number) => string
} {
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const minutes = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const numbers = new Intl.NumberFormat(locale)
  return {
    day: (timestamp) => dates.format(new Date(timestamp)),
    minute: (timestamp) => `${minutes.format(new Date(timestamp))} UTC`,
    number: (value) => numbers.format(value),
  }
}
