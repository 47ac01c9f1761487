import { describeQuery } from '@vidimus/holder-texts/describe'
import { en } from '@vidimus/holder-texts/en'
import { Card } from '../ui/page.tsx'
import type { Template } from './compose.ts'

/** The request as a holder reads it on the hosted page, in English. */
export function HolderPreview({ template }: { template: Template }) {
  const asks = describeQuery(template['query'], template, { texts: en, lang: 'en' })
  return (
    <Card title="Holder preview">
      <div className="grid gap-4 text-sm">
        {asks.length === 0 && <p className="text-soft">No document contains all these claims.</p>}
        {asks.map(({ documents, claims, optional }, index) => (
          <div key={index}>
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
