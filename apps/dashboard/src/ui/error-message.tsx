import { createContext, use, type ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { ApiError, LocalError } from '../api/error.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useLanguage, useSharedTexts } from '../texts/texts-context.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

type ErrorParts = {
  /** Says that the person's role does not include something. The reason is the service's own, in English. */
  NotForRole: (props: { reason: string }) => ReactNode
  /** Leads to the request in a log. */
  RequestLink?: (props: { error: ApiError; children: ReactNode }) => ReactNode
}

/** What an app knows about a refusal. */
export const ErrorPartsContext = createContext<ErrorParts | undefined>(undefined)

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
  const text = useSharedTexts().ui
  const parts = use(ErrorPartsContext)
  if (parts !== undefined && error instanceof ApiError && error.code === 'role_not_allowed')
    return <parts.NotForRole reason={error.message} />
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
function RequestId({ error }: { error: ApiError }) {
  const RequestLink = use(ErrorPartsContext)?.RequestLink
  if (RequestLink === undefined || error.logged_in === undefined) return <code>{error.request_id}</code>
  return <RequestLink error={error}>{error.request_id}</RequestLink>
}

/** The service writes English. In another language its message follows a summary of the error code. */
function ErrorText({ error }: { error: Error }): ReactNode {
  const text = useSharedTexts().errors
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
