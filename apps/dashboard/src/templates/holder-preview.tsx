import { useQuery } from '@tanstack/react-query'
import type { HolderTexts } from '@vidimus/holder-texts'
import { describeQuery } from '@vidimus/holder-texts/describe'
import { loadHolderTexts } from '../texts/load-texts.ts'
import { useLanguage, useTexts } from '../texts/texts-context.ts'
import { Card } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { readPurpose, type Template } from './compose.ts'
import { bindSample } from './parameters.ts'

/** The request as a holder reads it on the hosted page, in the dashboard's language. */
export function HolderPreview({ template }: { template: Template }) {
  const text = useTexts().templates.holder_preview
  const [language] = useLanguage()
  const { data: holderTexts } = useQuery({
    queryKey: ['holderTexts', language],
    queryFn: loadHolderTexts[language],
    staleTime: Infinity,
  })
  return (
    <Card title={text.title}>
      {holderTexts === undefined ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <Asks template={template} holderTexts={holderTexts} />
      )}
    </Card>
  )
}

function Asks({ template, holderTexts }: { template: Template; holderTexts: HolderTexts }) {
  const text = useTexts().templates.holder_preview
  const [language] = useLanguage()
  const sample = bindSample(template)
  const purposes = readPurpose(sample)
  const purpose = purposes.find(({ lang }) => lang === language) ?? purposes[0]
  const asks = describeQuery(sample['query'], sample, { texts: holderTexts, lang: language })
  return (
    <div className="grid gap-4 text-sm">
      {purpose !== undefined && (
        <div>
          <p className="text-soft">{holderTexts.component.why}</p>
          <p lang={purpose.lang} className="break-words">
            {purpose.content}
          </p>
        </div>
      )}
      {asks.length === 0 && <p className="text-soft">{text.none}</p>}
      {asks.map(({ documents, claims, optional }, index) => (
        <div key={index}>
          {optional && <p className="text-soft">{holderTexts.component.optional}</p>}
          <ul className="list-disc pl-5">
            {claims.map((claim) => (
              <li key={claim}>{claim}</li>
            ))}
          </ul>
          <p className="mt-2 text-soft">
            {documents.length === 1 ? holderTexts.component.from_document : holderTexts.component.from_one_of}
          </p>
          <ul className="list-disc pl-5 text-soft">
            {documents.map((document) => (
              <li key={document}>{document}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
