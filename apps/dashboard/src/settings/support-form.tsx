import { useOperationMutation } from '../api/queries.ts'
import { useMe, usePermission } from '../shell/shell-context.ts'
import { SupportSentence } from '../shell/support-notice.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card } from '../ui/page.tsx'
import { useToast } from '../ui/toast.tsx'

/** Lets the operator's support look for a day, and ends it. */
export function SupportForm({ canManage }: { canManage: boolean }) {
  const text = useTexts().settings.support
  const { support_access: access } = useMe()
  const canGrant = usePermission('grant_support')
  const grant = useOperationMutation('grantSupport', ['getMe'])
  const end = useOperationMutation('endSupport', ['getMe'])
  const showToast = useToast()
  const [may, mutation, label, done] =
    access === undefined
      ? [canGrant, grant, text.allow, text.allowed]
      : [canManage, end, text.end, text.ended]
  const error = grant.error ?? end.error
  return (
    <Card title={text.title} description={text.description}>
      <p className="text-sm">{access === undefined ? text.none : <SupportSentence access={access} />}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        {/* One button, so that it keeps the focus. */}
        {may && (
          <Button
            busy={mutation.isPending}
            onClick={() => mutation.mutate({}, { onSuccess: () => showToast(done) })}
          >
            {label}
          </Button>
        )}
        {access === undefined && !canGrant && <p className="text-sm text-soft">{text.for_owners}</p>}
      </div>
      {error !== null && <ErrorMessage error={error} inline />}
    </Card>
  )
}
