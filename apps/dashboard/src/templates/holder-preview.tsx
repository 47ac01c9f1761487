import { Card } from '../ui/page.tsx'
import { documents, sources, claimTitle } from './catalogue.ts'
import type { Template } from './compose.ts'

type DocumentOption = { document: string; claims: string[] }

/** The request in a holder's words: for each document that would do, what it would show. */
export function HolderPreview({ template }: { template: Template }) {
  const options = readOptions(template)
  return (
    <Card title="What the holder sees">
      <div className="grid gap-4 text-sm">
        {options.length === 0 && <p className="text-soft">Nothing: no document has all of this.</p>}
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
  return credentials.map(({ id = '', format, claims: asked = [] }) => {
    const source = sources.find((candidate) => candidate.id === id)
    const title = source === undefined ? id : documents[source.document].title
    const shown = asked.map(
      ({ path }) => names.get(`${id} ${JSON.stringify(path)}`) ?? claimNameFromPath(path),
    )
    return {
      document: `${title} (${format === 'mso_mdoc' ? 'mdoc' : 'SD-JWT VC'})`,
      claims: [...new Set(shown)],
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
