import { Link } from '@tanstack/react-router'
import type { SupportAccess } from '@vidimus/contract'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Time } from '../ui/time.tsx'
import { useEnvironment, useMe, usePermission } from './shell-context.ts'

/** Tells every member on every page that operators may look, who let them, and until when. */
export function SupportNotice() {
  const text = useTexts().shell.support
  const environment = useEnvironment()
  const canEnd = usePermission('manage_settings')
  const { support_access: access } = useMe()
  if (access === undefined) return null
  return (
    <div role="status" className="mb-6 rounded border border-wait/40 bg-wait/10 px-4 py-3 text-sm">
      <p>
        <SupportSentence access={access} />{' '}
        {canEnd && (
          <Link
            to="/$environment/settings/support"
            params={{ environment }}
            className="font-medium text-accent hover:underline"
          >
            {text.end}
          </Link>
        )}
      </p>
      {access.reason !== undefined && <p className="mt-1 wrap-anywhere">{access.reason}</p>}
    </div>
  )
}

export function SupportSentence({ access }: { access: SupportAccess }) {
  const text = useTexts().shell.support
  return <Sentence text={text[access.by]} values={{ name: access.name, until: <Time at={access.until} /> }} />
}
