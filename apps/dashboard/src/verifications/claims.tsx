import { Link } from '@tanstack/react-router'
import { Eye, EyeOff } from 'lucide-react'
import type { Environment } from '@vidimus/contract'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { useOpenedClaims } from './use-opened-claims.ts'

/** The names of the claims. Values are shown on request only, which is recorded. */
export function Claims({
  detail,
  environment,
}: {
  detail: OperationOutput<'getVerification'>
  environment: Environment
}) {
  const { claims: text, sealed } = useTexts().verifications
  const { settings } = useTexts()
  const reveal = useOperationMutation('revealClaims', ['getVerification'])
  const canReadClaims = usePermission('read_claims')
  const opened = useOpenedClaims(detail.id, reveal.data)
  const isSealed = detail.claim_names.includes('_sealed')
  const revealedClaims = opened.claims
  const [hidden, shown] = isSealed
    ? [sealed.description, opened.error === null ? sealed.opened : sealed.description]
    : [text.masked_description, text.recorded]
  const names = new Set([
    ...detail.claim_names.filter((name) => name !== '_sealed'),
    ...Object.keys(isSealed ? (revealedClaims ?? {}) : {}),
  ])
  return (
    <Card
      title={isSealed ? sealed.title : text.title}
      description={revealedClaims === undefined ? hidden : shown}
      actions={
        canReadClaims && (
          <Button
            size="small"
            icon={
              revealedClaims === undefined ? (
                <Eye className="size-4" aria-hidden />
              ) : (
                <EyeOff className="size-4" aria-hidden />
              )
            }
            busy={reveal.isPending}
            onClick={() =>
              revealedClaims === undefined
                ? reveal.mutate({ params: { environment, id: detail.id } })
                : reveal.reset()
            }
          >
            {revealedClaims !== undefined ? text.hide : isSealed ? sealed.open : text.show}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {reveal.error !== null && <ErrorMessage error={reveal.error} inline />}
        {opened.error !== null && (
          <p role="alert" className="text-sm text-bad">
            <Sentence
              text={sealed.no_key}
              values={{
                settings: (
                  <Link
                    to="/$environment/settings/sealing"
                    params={{ environment }}
                    className="text-accent underline-offset-4 hover:underline"
                  >
                    {settings.sections.sealing}
                  </Link>
                ),
              }}
            />{' '}
            <span lang="en">{opened.error.message}</span>
          </p>
        )}
        <Facts>
          {Array.from(names, (name) => (
            <Fact key={name} name={name}>
              {revealedClaims === undefined ? (
                <span className="tracking-widest text-soft">
                  <span aria-hidden>••••••</span>
                  <span className="sr-only">{text.masked}</span>
                </span>
              ) : (
                <ClaimValue value={revealedClaims[name]} />
              )}
            </Fact>
          ))}
        </Facts>
      </div>
    </Card>
  )
}

export function ClaimValue({ value }: { value: unknown }) {
  const { claims: text, sealed } = useTexts().verifications
  if (typeof value === 'object' && value !== null && 'ciphertext' in value) return sealed.title
  if (typeof value === 'string' && /^data:image\/(?:jpeg|png|webp|jp2);base64,/.test(value)) {
    return <img src={value} alt={text.portrait} className="max-h-40 rounded-md" />
  }
  if (typeof value === 'boolean') return value ? text.yes : text.no
  return <span className="font-medium">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
}
