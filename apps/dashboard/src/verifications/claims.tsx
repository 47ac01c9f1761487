import { Eye, EyeOff } from 'lucide-react'
import type { Answer } from '../api/call.ts'
import { useChange } from '../api/queries.ts'
import { useMay } from '../shell/me.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'

/** Their names; their values only when somebody asks, and that is written down. */
export function Claims({ detail, environment }: { detail: Answer<'getVerification'>; environment: string }) {
  const reveal = useChange('revealClaims', ['getVerification'])
  const reads = useMay('read_claims')
  const shown = reveal.data?.claims
  return (
    <Card
      title="Claims"
      lead={
        shown === undefined
          ? 'Masked. Whoever looks at them is named in the audit log.'
          : 'That you looked is in the audit log.'
      }
      actions={
        reads && (
          <Button
            size="small"
            icon={
              shown === undefined ? (
                <Eye className="size-4" aria-hidden />
              ) : (
                <EyeOff className="size-4" aria-hidden />
              )
            }
            busy={reveal.isPending}
            onClick={() =>
              shown === undefined ? reveal.mutate({ params: { environment, id: detail.id } }) : reveal.reset()
            }
          >
            {shown === undefined ? 'Show claims' : 'Hide claims'}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {reveal.error !== null && <Failure error={reveal.error} inline />}
        <Facts>
          {detail.claim_names.map((name) => (
            <Fact key={name} name={name}>
              {shown === undefined ? (
                <span className="tracking-widest text-soft">
                  <span aria-hidden>••••••</span>
                  <span className="sr-only">masked</span>
                </span>
              ) : (
                <Value value={shown[name]} />
              )}
            </Fact>
          ))}
        </Facts>
      </div>
    </Card>
  )
}

export function Value({ value }: { value: unknown }) {
  if (typeof value === 'string' && /^data:image\/(?:jpeg|png|webp|jp2);base64,/.test(value)) {
    return <img src={value} alt="Portrait" className="max-h-40 rounded-md" />
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return <span className="font-medium">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
}
