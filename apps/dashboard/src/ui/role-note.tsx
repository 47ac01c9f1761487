import type { ReactNode } from 'react'
import { Lock } from 'lucide-react'

/** Says that a role does not include something. It is no error: somebody decided so. */
export function RoleNote({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="status" className="flex gap-3 rounded-lg border border-line bg-surface px-5 py-4 text-sm">
      <Lock className="mt-0.5 size-4 shrink-0 text-soft" aria-hidden />
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p className="text-soft">{children}</p>
      </div>
    </div>
  )
}
