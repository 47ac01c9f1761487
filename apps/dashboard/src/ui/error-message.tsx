import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { Environment } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { ApiError, LocalError } from '../api/error.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useLanguage, useTexts } from '../texts/texts-context.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { NotForRole } from './not-for-role.tsx'

/** Why something failed, with the request ID under which the operator finds it in the log. */
export function ErrorMessage({
  error,
  retry,
  inline = false,
}: {
  error: Error
  retry?: () => void
  inline?: boolean
}) {
  const text = useTexts().ui
  if (error instanceof ApiError && error.code === 'role_not_allowed')
    return <NotForRole reason={error.message} />
  const reason = <ErrorText error={error} />
  return (
    <div role="alert" className="grid gap-2 rounded-md border border-bad/40 bg-bad-tint px-4 py-3 text-sm">
      <p className="flex gap-2 text-bad">
        <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>{inline ? reason : <Sentence text={text.not_loaded} values={{ reason }} />}</span>
      </p>
      {error instanceof ApiError && error.request_id !== undefined && (
        <p className="flex flex-wrap items-center gap-x-2 pl-6 text-ink">
          <span>
            {error.code}, <Sentence text={text.request_id} values={{ id: <RequestId error={error} /> }} />
          </span>
          <CopyButton text={error.request_id} label={text.copy_request_id} />
        </p>
      )}
      {retry !== undefined && (
        <div className="pl-6">
          <Button size="small" onClick={retry}>
            {text.try_again}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The request ID, which leads to the request log if that has the request. */
function RequestId({ error: { request_id, logged_in } }: { error: ApiError }) {
  if (request_id === undefined || logged_in === undefined) return <code>{request_id}</code>
  return (
    <Link
      to="/$environment/requests"
      params={{ environment: logged_in as Environment }} // from the address of the request
      search={{ request_id }}
      className="font-mono underline underline-offset-4"
    >
      {request_id}
    </Link>
  )
}

/** The service writes English. In another language its message follows a summary of the error code. */
function ErrorText({ error }: { error: Error }): ReactNode {
  const text = useTexts().errors
  const [language] = useLanguage()
  if (error instanceof LocalError) return fillIn(text.local[error.code], error.values)
  if (!(error instanceof ApiError) || language === 'en') return error.message
  const summary = isKnownCode(error.code, text.service) ? text.service[error.code] : text.unknown
  return (
    <>
      {summary} <span lang="en">{error.message}</span>
    </>
  )
}

function isKnownCode<Known extends object>(code: string, known: Known): code is keyof Known & string {
  return Object.hasOwn(known, code)
}
