import type { PendingInvitation } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'

/** What became of the e-mail with an invitation link. Nothing if there is no mail server. */
export function InvitationMail({ mail, mail_failure }: Pick<PendingInvitation, 'mail' | 'mail_failure'>) {
  const text = useTexts().alerts.mail
  if (mail === undefined) return null
  if (mail !== 'failed') return <span className="block text-xs text-soft">{text[mail]}</span>
  return (
    <span className="mt-1 grid gap-0.5">
      <span>
        <Badge tone="bad">{text.failed}</Badge>
      </span>
      <span className="text-xs text-soft">{fillIn(text.failed_hint, { reason: mail_failure ?? '–' })}</span>
    </span>
  )
}
