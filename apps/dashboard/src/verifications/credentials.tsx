import { Check, CircleAlert, Minus, X, type LucideIcon } from 'lucide-react'
import type { OperationOutput } from '../api/call.ts'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { findingText, formatLabels } from './labels.ts'

type Credential = OperationOutput<'getVerification'>['credentials'][number]
type Finding = Credential['findings'][number]

/** The presented credentials with their findings. */
export function Credentials({ credentials }: { credentials: readonly Credential[] }) {
  return credentials.map((credential, index) => (
    <Card
      key={index}
      title={`Credential ${credentials.length > 1 ? index + 1 : ''}`.trim()}
      description={<code>{credential.doctype_or_vct}</code>}
    >
      <div className="grid gap-5">
        <Facts>
          <Fact name="Format">{formatLabels[credential.format]}</Fact>
          <Fact name="Issuer">
            {[credential.issuer.common_name, credential.issuer.country].filter(Boolean).join(', ') ||
              'Unknown'}
          </Fact>
          {credential.claim_names.length > 0 && (
            <Fact name="Disclosed">{credential.claim_names.join(', ')}</Fact>
          )}
        </Facts>
        <ul className="grid gap-2 text-sm">
          <SummaryLine ok={credential.signature_valid} label="Issuer signature" pass="valid" fail="invalid" />
          <SummaryLine ok={credential.trusted} label="Issuer" pass="trusted" fail="not trusted" />
          <SummaryLine
            ok={credential.holder_binding_valid}
            label="Holder"
            pass="confirmed"
            fail="not confirmed"
          />
          {credential.findings.map((finding, at) => (
            <FindingLine key={at} {...finding} />
          ))}
        </ul>
      </div>
    </Card>
  ))
}

function SummaryLine({ ok, label, pass, fail }: { ok: boolean; label: string; pass: string; fail: string }) {
  return (
    <li className="flex gap-2.5">
      {ok ? (
        <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
      ) : (
        <X className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      )}
      <span>
        {label}: <span className={ok ? 'text-good' : 'font-semibold text-bad'}>{ok ? pass : fail}</span>
      </span>
    </li>
  )
}

const findingStyles: Record<Finding['status'], { icon: LucideIcon; colour: string }> = {
  pass: { icon: Check, colour: 'text-good' },
  fail: { icon: X, colour: 'text-bad' },
  warning: { icon: CircleAlert, colour: 'text-wait' },
  skipped: { icon: Minus, colour: 'text-soft' },
}

function FindingLine({ check, status, detail }: Finding) {
  const { icon: Icon, colour } = findingStyles[status]
  const { name, result } = findingText(check, status)
  return (
    <li className="flex gap-2.5">
      <Icon className={`mt-0.5 size-4 shrink-0 ${colour}`} aria-hidden />
      <span>
        {name}: <span className={`font-semibold ${colour}`}>{result}</span>
        {detail !== undefined && <span className="block text-soft">{detail}</span>}
      </span>
    </li>
  )
}
