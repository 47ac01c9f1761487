import { Check, CircleAlert, Minus, X } from 'lucide-react'
import type { OperationOutput } from '../api/call.ts'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { checkLabel } from './labels.ts'

type Credential = OperationOutput<'getVerification'>['credentials'][number]
type Finding = Credential['findings'][number]

/** What was presented, and what was found, in words. */
export function Credentials({ credentials }: { credentials: readonly Credential[] }) {
  return credentials.map((credential, index) => (
    <Card
      key={index}
      title={`Credential ${credentials.length > 1 ? index + 1 : ''}`.trim()}
      description={<code>{credential.doctype_or_vct}</code>}
    >
      <div className="grid gap-5">
        <Facts>
          <Fact name="Format">{credential.format === 'mso_mdoc' ? 'ISO mdoc' : 'SD-JWT VC'}</Fact>
          <Fact name="Issuer">
            {[credential.issuer.common_name, credential.issuer.country].filter(Boolean).join(', ') ||
              'unknown'}
          </Fact>
          {credential.claim_names.length > 0 && (
            <Fact name="Disclosed">{credential.claim_names.join(', ')}</Fact>
          )}
        </Facts>
        <ul className="grid gap-2 text-sm">
          <SummaryLine ok={credential.signature_valid} label="The issuer’s signature is genuine" />
          <SummaryLine ok={credential.trusted} label="The issuer is one you trust" />
          <SummaryLine ok={credential.holder_binding_valid} label="Shown by its holder, in this session" />
          {credential.findings.map((finding, at) => (
            <FindingLine key={at} {...finding} />
          ))}
        </ul>
      </div>
    </Card>
  ))
}

function SummaryLine({ ok, label }: { ok: boolean; label: string }) {
  return (
    <li className="flex gap-2.5">
      {ok ? (
        <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
      ) : (
        <X className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      )}
      <span>
        {label}: <span className={ok ? 'text-good' : 'font-semibold text-bad'}>{ok ? 'yes' : 'no'}</span>
      </span>
    </li>
  )
}

const findingStyles = {
  pass: { icon: Check, colour: 'text-good', word: 'holds' },
  fail: { icon: X, colour: 'text-bad', word: 'does not hold' },
  warning: { icon: CircleAlert, colour: 'text-wait', word: 'with a warning' },
  skipped: { icon: Minus, colour: 'text-soft', word: 'not looked at' },
}

function FindingLine({ check, status, detail }: Finding) {
  const { icon: Icon, colour, word: label } = findingStyles[status]
  return (
    <li className="flex gap-2.5">
      <Icon className={`mt-0.5 size-4 shrink-0 ${colour}`} aria-hidden />
      <span>
        {checkLabel(check)}: <span className={`font-semibold ${colour}`}>{label}</span>
        {detail !== undefined && <span className="block text-soft">{detail}</span>}
      </span>
    </li>
  )
}
