import { Eye, EyeOff } from 'lucide-react'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'

/** The names of the claims. Values are shown on request only, which is recorded. */
export function Claims({
  detail,
  environment,
}: {
  detail: OperationOutput<'getVerification'>
  environment: string
}) {
  const text = useTexts().verifications.claims
  const reveal = useOperationMutation('revealClaims', ['getVerification'])
  const canReadClaims = usePermission('read_claims')
  const revealedClaims = reveal.data?.claims
  return (
    <Card
      title={text.title}
      description={revealedClaims === undefined ? text.masked_description : text.recorded}
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
            {revealedClaims === undefined ? text.show : text.hide}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {reveal.error !== null && <ErrorMessage error={reveal.error} inline />}
        <Facts>
          {detail.claim_names.map((name) => (
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
  const text = useTexts().verifications.claims
  if (typeof value === 'string' && /^data:image\/(?:jpeg|png|webp|jp2);base64,/.test(value)) {
    return <img src={value} alt={text.portrait} className="max-h-40 rounded-md" />
  }
  if (typeof value === 'boolean') return value ? text.yes : text.no
  return <span className="font-medium">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
}
