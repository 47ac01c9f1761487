import { Check, CircleAlert, Minus, X, type LucideIcon } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput } from '../api/call.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { findingText, formatLabels } from './labels.ts'

type Credential = OperationOutput<'getVerification'>['credentials'][number]
type Finding = Credential['findings'][number]

/** The presented credentials with their findings. */
export function Credentials({ credentials }: { credentials: readonly Credential[] }) {
  const text = useTexts().verifications.credentials
  return credentials.map((credential, index) => (
    <Card
      key={index}
      title={credentials.length > 1 ? fillIn(text.title_numbered, { number: index + 1 }) : text.title}
      description={<code>{credential.doctype_or_vct}</code>}
    >
      <div className="grid gap-5">
        <Facts>
          <Fact name={text.format}>{formatLabels[credential.format]}</Fact>
          <Fact name={text.issuer}>
            {[credential.issuer.common_name, credential.issuer.country].filter(Boolean).join(', ') ||
              text.unknown_issuer}
          </Fact>
          {credential.claim_names.length > 0 && (
            <Fact name={text.disclosed}>{credential.claim_names.join(', ')}</Fact>
          )}
        </Facts>
        <ul className="grid gap-2 text-sm">
          <SummaryLine
            ok={credential.signature_valid}
            label={text.issuer_signature}
            pass={text.signature_valid}
            fail={text.signature_invalid}
          />
          <SummaryLine
            ok={credential.trusted}
            label={text.issuer}
            pass={text.issuer_trusted}
            fail={text.issuer_not_trusted}
          />
          <SummaryLine
            ok={credential.holder_binding_valid}
            label={text.holder}
            pass={text.holder_confirmed}
            fail={text.holder_not_confirmed}
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
  const text = useTexts().verifications
  const { icon: Icon, colour } = findingStyles[status]
  const { name, result } = findingText(check, status, text)
  return (
    <li className="flex gap-2.5">
      <Icon className={`mt-0.5 size-4 shrink-0 ${colour}`} aria-hidden />
      <span>
        {name}: <span className={`font-semibold ${colour}`}>{result}</span>
        {detail !== undefined && (
          <span className="block text-soft" lang="en">
            {detail}
          </span>
        )}
      </span>
    </li>
  )
}
