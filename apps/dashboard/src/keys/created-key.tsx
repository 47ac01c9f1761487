import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput } from '../api/call.ts'
import { useTexts } from '../texts/texts-context.ts'
import { CodeBlock } from '../ui/copyable.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'

/** Shows a new key, once. */
export function CreatedKeyDialog({
  createdKey: { key, secret },
  onClose,
}: {
  createdKey: OperationOutput<'createKey'>
  onClose: () => void
}) {
  const text = useTexts().keys.created
  const example = `curl ${location.origin}/v1/verifications \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"template": "age_over_18", "purpose": "Age check at the till"}'`
  return (
    <SecretDialog
      secret={secret}
      wide
      onClose={onClose}
      title={text.title}
      description={fillIn(text.description, { name: key.name })}
      copy={text.copy}
      copied={text.copied}
    >
      {key.scopes.includes('verifications:create') && (
        <div className="grid min-w-0 gap-2">
          <p className="text-sm font-medium">{text.try}</p>
          <CodeBlock text={example} label={text.copy_example} />
        </div>
      )}
    </SecretDialog>
  )
}
