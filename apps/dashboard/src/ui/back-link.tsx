import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEnvironment } from '../shell/shell-context.ts'

type BackLinkProps = {
  to: 'links' | 'registrations' | 'templates' | 'verifications' | 'webhooks'
  label: string
  /** The filters of the list. */
  search?: Record<string, string | undefined>
}

/** Leads from a detail page to its list. */
export function BackLink({ to, label, search = {} }: BackLinkProps) {
  const environment = useEnvironment()
  return (
    <Link
      to={`/$environment/${to}`}
      params={{ environment }}
      search={search}
      className="inline-flex items-center gap-1.5 text-accent hover:underline"
    >
      <ArrowLeft className="size-4" aria-hidden /> {label}
    </Link>
  )
}
