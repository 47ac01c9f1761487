import { Card } from '../ui/page.tsx'
import { formatLabels } from '../verifications/labels.ts'
import { documents, sources, claimTitle } from './catalogue.ts'
import type { Template } from './compose.ts'

type DocumentOption = { document: string; claims: string[] }

/** The request as a holder reads it: each accepted document with the claims it would disclose. */
export function HolderPreview({ template }: { template: Template }) {
  const options = readOptions(template)
  return (
    <Card title="Holder preview">
      <div className="grid gap-4 text-sm">
        {options.length === 0 && <p className="text-soft">No document contains all these claims.</p>}
        {options.map(({ document, claims }, index) => (
          <div key={index}>
            <p className="font-medium">
              {index > 0 && <span className="text-soft">or </span>}
              {document}
            </p>
            <ul className="mt-1 list-disc pl-5 text-soft">
              {claims.map((claim) => (
                <li key={claim}>{claim}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Card>
  )
}

function readOptions({ query, claims }: Template): DocumentOption[] {
  const credentials = (
    query as { credentials?: { id?: string; format?: string; claims?: { path?: unknown }[] }[] } | undefined
  )?.credentials
  if (!Array.isArray(credentials)) return []
  const names = namesByPath(claims)
  return credentials.map(({ id = '', format, claims: requested = [] }) => {
    const source = sources.find((candidate) => candidate.id === id)
    const title = source === undefined ? id : documents[source.document].title
    const titles = requested.map(
      ({ path }) => names.get(`${id} ${JSON.stringify(path)}`) ?? claimNameFromPath(path),
    )
    return {
      document: `${title} (${formatLabels[format === 'mso_mdoc' ? 'mso_mdoc' : 'dc+sd-jwt']})`,
      claims: [...new Set(titles)],
    }
  })
}

function namesByPath(claims: unknown): Map<string, string> {
  const claimPaths = Object.entries(
    (claims ?? {}) as Record<string, { credential?: string; path?: unknown }[]>,
  )
  return new Map(
    claimPaths.flatMap(([name, at]) =>
      Array.isArray(at)
        ? at.map(
            ({ credential, path }) => [`${credential} ${JSON.stringify(path)}`, claimTitle(name)] as const,
          )
        : [],
    ),
  )
}

function claimNameFromPath(path: unknown): string {
  const last: unknown = Array.isArray(path) ? path.findLast((part) => typeof part === 'string') : undefined
  return typeof last === 'string' ? last.replaceAll('_', ' ') : 'a claim'
}
