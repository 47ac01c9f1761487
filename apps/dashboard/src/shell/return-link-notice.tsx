import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { Time } from '../ui/time.tsx'
import { useEnvironment, useMe } from './shell-context.ts'

const storageKey = 'vidimus.return-link-seen'

/**
 * Tells a member that someone created a sign-in link for them. Dismissing it counts in one browser only: the person who used
 * the link must not be able to hide the notice from the member.
 */
export function ReturnLinkNotice() {
  const { shell, ui } = useTexts()
  const text = shell.return_link
  const [link] = useMe().return_links
  const environment = useEnvironment()
  const [dismissedState, setDismissedState] = useState(() => localStorage.getItem(storageKey))
  if (link === undefined) return null
  const state = `${link.id} ${link.used_at ?? ''}`
  if (dismissedState === state) return null
  const dismiss = () => {
    localStorage.setItem(storageKey, state)
    setDismissedState(state)
  }
  return (
    <div
      role="status"
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded border border-wait/40 bg-wait/10 px-4 py-3 text-sm"
    >
      <p className="min-w-0 flex-1 basis-72">
        <Sentence
          text={text.created}
          values={{
            creator: link.made_by === 'operator' ? text.operator : link.made_by,
            at: <Time at={link.made_at} />,
          }}
        />{' '}
        {link.used_at === undefined ? (
          text.not_used
        ) : (
          <Sentence text={text.used} values={{ at: <Time at={link.used_at} /> }} />
        )}{' '}
        <Sentence
          text={text.advice}
          values={{
            link: (
              <Link to="/$environment/account" params={{ environment }} className="underline">
                {text.check_passkeys}
              </Link>
            ),
          }}
        />
      </p>
      <Button size="small" onClick={dismiss}>
        {ui.dismiss}
      </Button>
    </div>
  )
}
