import type { MailContent } from '../../../audit/index.ts'

type Invitation = {
  language: 'en' | 'de' | undefined
  tenant_name: string
  /** Undefined if the operator invites. */
  invited_by: string | undefined
  returning: boolean
  link: string
}

/** The mail with an invitation link, in the language of the member who invites. */
export function composeInvitation(invitation: Invitation): MailContent {
  const { language = 'en', tenant_name, invited_by, returning, link } = invitation
  const texts = languages[language]
  const inviter = invited_by === undefined || looksLikeLink(invited_by) ? undefined : invited_by
  return {
    language,
    subject: returning ? texts.returningSubject(tenant_name) : texts.subject(tenant_name),
    paragraphs: [
      returning ? texts.returning(tenant_name) : texts.invited(tenant_name, inviter),
      texts.expires,
    ],
    link: { label: texts.open, url: link },
    footer: texts.footer,
  }
}

/** Members choose their names. A name that mail programs would turn into a link could lead the recipient anywhere. */
function looksLikeLink(name: string): boolean {
  return /[/@]|www[.]|[^\s.][.][^\s.]/i.test(name)
}

const languages = {
  en: {
    subject: (tenant: string) => `Invitation to the dashboard of ${tenant}`,
    returningSubject: (tenant: string) => `Sign-in link for the dashboard of ${tenant}`,
    invited: (tenant: string, by: string | undefined) =>
      by === undefined
        ? `You are invited to the dashboard of ${tenant}.`
        : `${by} invites you to the dashboard of ${tenant}.`,
    returning: (tenant: string) =>
      `A sign-in link for the dashboard of ${tenant} was created for you. With it you can add another sign-in method.`,
    expires: 'The link works once and expires after three days. Do not pass it on.',
    open: 'Open the link',
    footer: 'If you did not expect this mail, ignore it.',
  },
  de: {
    subject: (tenant: string) => `Einladung zum Dashboard von ${tenant}`,
    returningSubject: (tenant: string) => `Anmeldelink für das Dashboard von ${tenant}`,
    invited: (tenant: string, by: string | undefined) =>
      by === undefined
        ? `Sie sind zum Dashboard von ${tenant} eingeladen.`
        : `${by} lädt Sie zum Dashboard von ${tenant} ein.`,
    returning: (tenant: string) =>
      `Für Sie wurde ein Anmeldelink für das Dashboard von ${tenant} erstellt. Damit können Sie ein weiteres Anmeldeverfahren einrichten.`,
    expires: 'Der Link funktioniert einmal und gilt drei Tage lang. Geben Sie ihn nicht weiter.',
    open: 'Link öffnen',
    footer: 'Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.',
  },
}
