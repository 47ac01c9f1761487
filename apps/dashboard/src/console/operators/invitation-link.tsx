import type { NewOperatorInvitation } from '@vidimus/contract'
import { Sentence } from '../../texts/sentence.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

/** The sign-in link, which is shown once. */
export function InvitationLink({
  invited: { link, operator },
  onClose,
}: {
  invited: NewOperatorInvitation
  onClose: () => void
}) {
  const { operators, shell } = useConsoleTexts()
  const text = operators.link
  return (
    <SecretDialog
      secret={link}
      onClose={onClose}
      title={text.title}
      description={
        <Sentence
          text={text.description}
          values={{
            email: <strong className="font-semibold text-ink">{operator.email}</strong>,
            role: shell.roles[operator.role],
          }}
        />
      }
      copy={text.copy}
      copied={text.copied}
    />
  )
}
