import { TriangleAlert } from 'lucide-react'
import { useTexts } from '../texts/texts-context.ts'

/** What a site's administrator must know before people can sign in elsewhere with this. */
export function NotLogin() {
  const text = useTexts().openid_clients.not_login
  return (
    <div role="note" className="mb-6 flex gap-3 rounded-md bg-wait-tint px-4 py-3 text-sm text-wait">
      <TriangleAlert className="mt-0.5 size-4.5 shrink-0" aria-hidden />
      <div className="grid gap-1">
        <p className="font-semibold">{text.title}</p>
        <p className="max-w-prose">{text.what}</p>
      </div>
    </div>
  )
}
