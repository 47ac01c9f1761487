import type { ReactNode } from 'react'
import { useSharedTexts } from '../texts/texts-context.ts'

/** Lower on a low screen, so that all pages fit 700 pixels. */
export const pageLinkClasses =
  'flex h-[clamp(1.5rem,calc((100dvh-19.5rem)/16.5),2.25rem)] items-center pointer-coarse:h-11 gap-3 rounded-md px-2.5 text-sm text-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink'

/** The links to all pages, in groups. What is at the foot is divided by a line. */
export function PageLinks({
  groups,
  foot,
}: {
  groups: readonly (readonly { key: string; link: ReactNode }[])[]
  foot?: ReactNode
}) {
  const text = useSharedTexts().frame
  return (
    <nav aria-label={text.pages} className="grid gap-[clamp(0.125rem,calc((100dvh-42rem)/10),1rem)]">
      {groups.map((group) => (
        <ul key={group[0]?.key} className="grid gap-px">
          {group.map(({ key, link }) => (
            <li key={key}>{link}</li>
          ))}
        </ul>
      ))}
      {foot !== undefined && (
        <ul className="border-t border-line pt-[clamp(0.125rem,calc((100dvh-42rem)/10),1rem)]">
          <li>{foot}</li>
        </ul>
      )}
    </nav>
  )
}
