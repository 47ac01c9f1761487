import { CircleAlert } from 'lucide-react'
import { ApiError } from '../api/error.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

/** The service's error message, with the request ID under which the operator finds it in the log. */
export function ErrorMessage({
  error,
  retry,
  inline = false,
}: {
  error: Error
  retry?: () => void
  inline?: boolean
}) {
  return (
    <div role="alert" className="grid gap-2 rounded-md border border-bad/40 bg-bad-tint px-4 py-3 text-sm">
      <p className="flex gap-2 text-bad">
        <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>{inline ? error.message : `Could not load this. ${error.message}`}</span>
      </p>
      {error instanceof ApiError && error.request_id !== undefined && (
        <p className="flex flex-wrap items-center gap-x-2 pl-6 text-ink">
          <span>
            {error.code}, request ID <code>{error.request_id}</code>
          </span>
          <CopyButton text={error.request_id} label="Copy request ID" />
        </p>
      )}
      {retry !== undefined && (
        <div className="pl-6">
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}
