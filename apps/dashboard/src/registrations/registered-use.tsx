import type { RegisteredUse } from '@vidimus/contract'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Fact, Facts } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

/** Who is registered, and for what, as the certificate says. */
export function RegisteredUseFacts({ use }: { use: RegisteredUse }) {
  const text = useTexts().registrations.detail
  const facts = [
    [text.name, use.name],
    [text.legal_name, use.legal_name],
    [text.identifier, use.identifier],
    [text.country, use.country],
    [text.intermediary, use.intermediary && (use.intermediary.name ?? use.intermediary.identifier)],
    [text.intended_use, use.intended_use],
    [text.privacy_policy, use.privacy_policy],
    [text.info, use.info_uri],
    [text.registry, use.registry_uri],
    [text.entitlements, use.entitlements.length === 0 ? undefined : use.entitlements.join(', ')],
  ] as const
  return (
    <Facts>
      <LocalTexts name={text.purpose} texts={use.purpose} />
      <LocalTexts name={text.service} texts={use.service} />
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <Fact key={name} name={name}>
              <span className="break-words">{value}</span>
            </Fact>
          ),
      )}
      {use.issued_at !== undefined && use.expires_at !== undefined && (
        <Fact name={text.valid}>
          <Sentence
            text={text.valid_range}
            values={{
              from: <Time at={use.issued_at} form="day" />,
              until: <Time at={use.expires_at} form="day" />,
            }}
          />
        </Fact>
      )}
    </Facts>
  )
}

/** A text in each language that the registrar has it in. */
function LocalTexts({ name, texts }: { name: string; texts: RegisteredUse['purpose'] }) {
  if (texts.length === 0) return null
  return (
    <Fact name={name}>
      {texts.map(({ lang, value }, index) => (
        <span key={index} lang={lang} className="block break-words">
          {value}
        </span>
      ))}
    </Fact>
  )
}
