import type { AlertDetails, AlertKind } from '@vidimus/contract'

/** What a mail says about an alert: a subject line, and what happened and what to do. */
type AlertText = { title: string; body: string }

/** The texts of mails in one language. A missing text does not compile. */
export type NotificationTexts = {
  alerts: { [Kind in AlertKind]: (details: AlertDetails[Kind]) => AlertText }
  environment: Record<'test' | 'live', string>
  subject(title: string, tenant: string): string
  openDashboard: string
  alertFooter(tenant: string): string
  digest: { title(count: number): string; body(count: number): string; more(count: number): string }
}

export type MailLanguage = 'en' | 'de'
