import { CommandError, UsageError } from '../command.ts'

export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/** Hints for the client, which decides by itself. */
export const readOnly = { readOnlyHint: true, openWorldHint: false }
export const creating = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }

export function jsonResult(value: object): ToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: { ...value },
  }
}

/** A refusal of the service is a result that the assistant reads; anything else is a fault of the program. */
export async function respondWith(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof UsageError)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}
