import { describeQuery } from '@vidimus/holder-texts/describe'
import { en } from '@vidimus/holder-texts/en'
import { useTexts } from '../texts/texts-context.ts'
import { Card } from '../ui/page.tsx'
import type { Template } from './compose.ts'

/** The request as a holder reads it on the hosted page, in English. */
export function HolderPreview({ template }: { template: Template }) {
  const text = useTexts().templates.holder_preview
  const asks = describeQuery(template['query'], template, { texts: en, lang: 'en' })
  return (
    <Card title={text.title}>
      <div className="grid gap-4 text-sm">
        {asks.length === 0 && <p className="text-soft">{text.none}</p>}
        {asks.map(({ documents, claims, optional }, index) => (
          <div key={index} lang="en">
            {optional && <p className="text-soft">{en.page.optional}</p>}
            <ul className="list-disc pl-5">
              {claims.map((claim) => (
                <li key={claim}>{claim}</li>
              ))}
            </ul>
            <p className="mt-2 text-soft">
              {documents.length === 1 ? en.page.from_document : en.page.from_one_of}
            </p>
            <ul className="list-disc pl-5 text-soft">
              {documents.map((document) => (
                <li key={document}>{document}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Card>
  )
}
