import type { ServiceAnchors } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'

type ListedAnchor = ServiceAnchors['data'][number]
type AnchorSubjectProps = {
  anchor: Pick<ListedAnchor, 'subject' | 'fingerprint' | 'document_types' | 'entity'>
}

/** The cell of a table that says whose certificate it is: who operates it, its fingerprint, and what it may issue. */
export function AnchorSubject({
  anchor: { subject, fingerprint, document_types, entity },
}: AnchorSubjectProps) {
  const text = useTexts().settings.anchors
  return (
    <span className="grid gap-0.5">
      <span>{subject}</span>
      {entity !== undefined && (
        <span className="text-xs break-words text-soft">{fillIn(text.of_entity, { entity })}</span>
      )}
      <code className="text-xs break-all text-soft">{fingerprint}</code>
      {document_types !== undefined && (
        <span className="text-xs break-words text-soft">
          {fillIn(text.only_for, { types: document_types.join(', ') })}
        </span>
      )}
    </span>
  )
}
