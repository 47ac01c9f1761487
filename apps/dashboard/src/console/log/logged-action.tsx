import { actionLabel } from '../../audit/action-labels.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'

type LoggedActionProps = { action: string; detail: Record<string, unknown> | undefined }

/** What was done, with its facts. */
export function LoggedAction({ action, detail }: LoggedActionProps) {
  const { log: text, account } = useConsoleTexts()
  const { state, plan, method } = detail ?? {}
  const { methods } = account.sessions
  const how = method === 'passkey' || method === 'oidc' ? methods[method] : undefined
  const about = [state, plan, how].filter((each) => typeof each === 'string').join(', ')
  return (
    <div>
      <span className="font-medium">{actionLabel(action, text.actions)}</span>
      {about !== '' && <span className="text-soft">: {about}</span>}
      <span className="block font-mono text-xs whitespace-nowrap text-soft">{action}</span>
      {detail !== undefined && Object.keys(detail).length > 0 && (
        <details className="mt-1 text-xs">
          <summary className="w-fit cursor-pointer rounded-sm text-accent">{text.details}</summary>
          <pre className="mt-1 max-w-72 overflow-x-auto whitespace-pre-wrap">
            {JSON.stringify(detail, undefined, 1)}
          </pre>
        </details>
      )}
    </div>
  )
}
