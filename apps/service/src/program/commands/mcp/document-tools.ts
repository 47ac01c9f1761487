import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { suggest } from '../../../engine/basics/index.ts'
import { callService, type Service } from '../call-service.ts'
import { readOnly, respondWith, type ToolResult } from './tool.ts'

/** Of one page at once; the longest has fewer. */
const maxText_characters = 60_000

/** The documents of the version that the service runs, which it serves as Markdown. */
export function addDocumentTools(server: McpServer, service: Service): void {
  server.registerTool(
    'read_guide',
    {
      title: 'Read a guide',
      description:
        'Returns a page of the documentation as Markdown, or, without a path, the list of all pages.',
      inputSchema: z.object({
        path: z
          .string()
          .regex(/^[a-z\d]+(?:[/-][a-z\d]+)*$/i)
          .max(100)
          .optional()
          .describe('As in the list: `guides/quickstart`, `reference/errors`.'),
      }),
      annotations: readOnly,
    },
    ({ path }) =>
      respondWith(async () =>
        textResult(await readDocument(service, path === undefined ? '/llms.txt' : `/docs/${path}.md`)),
      ),
  )
  server.registerTool(
    'explain_code',
    {
      title: 'Explain an error code or finding',
      description:
        'Says what an error code of the API, the error of a failed verification, or the check of a finding means, and what to do.',
      inputSchema: z.object({
        code: z.string().max(100).describe('`issuer_untrusted`, `session_expired`, …'),
      }),
      annotations: readOnly,
    },
    ({ code }) =>
      respondWith(async () =>
        textResult(explain(await readDocument(service, '/docs/reference/errors.md'), code)),
      ),
  )
}

async function readDocument(service: Service, path: string): Promise<string> {
  return (await callService(service, path)).text()
}

function textResult(text: string): ToolResult {
  const cut = text.length > maxText_characters
  return { content: [{ type: 'text', text: cut ? `${text.slice(0, maxText_characters)}\n\n(cut)` : text }] }
}

/** The section of the page whose heading is the code. */
function explain(page: string, code: string): string {
  const sections = page.split(/^(?=#{2,3} )/m)
  const codes = sections.map((section) => /^### `?([\w.]+)`?$/m.exec(section)?.[1] ?? '')
  const found = sections[codes.indexOf(code)]
  if (found !== undefined) return found.trim()
  const hint = suggest(code, codes)
  return `There is no code ${JSON.stringify(code)}.${hint === undefined ? '' : ` Did you mean ${hint}?`}`
}
