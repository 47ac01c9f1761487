import type { MailContent } from '../../audit/index.ts'

type Decision = {
  language: 'en' | 'de'
  tenant_name: string
  approval: 'approved' | 'refused'
  /** Why it was refused. */
  reason: string | undefined
  base_url: string
}

const languages = {
  en: {
    subject: (tenant: string) => `Your account ${tenant}`,
    approved: (host: string) => `The operator of ${host} approved your account. Live verifications work now.`,
    refused: (host: string) => `The operator of ${host} did not approve your account.`,
    open: 'Open the dashboard',
    footer: 'You get this mail because you are an owner of the account.',
  },
  de: {
    subject: (tenant: string) => `Ihr Konto ${tenant}`,
    approved: (host: string) =>
      `Der Betreiber von ${host} hat Ihr Konto freigegeben. Live-Prüfungen funktionieren jetzt.`,
    refused: (host: string) => `Der Betreiber von ${host} hat Ihr Konto nicht freigegeben.`,
    open: 'Dashboard öffnen',
    footer: 'Sie erhalten diese E-Mail, weil Sie Eigentümer des Kontos sind.',
  },
}

/** The mail to an owner of an account that signed up, once the operator has decided. */
export function composeDecision({
  language,
  tenant_name,
  approval,
  reason,
  base_url,
}: Decision): MailContent {
  const texts = languages[language]
  return {
    language,
    subject: texts.subject(tenant_name),
    paragraphs: [
      texts[approval](new URL(base_url).host),
      ...(approval === 'refused' && reason !== undefined ? [reason] : []),
    ],
    link: { label: texts.open, url: `${base_url}/dashboard` },
    footer: texts.footer,
  }
}
