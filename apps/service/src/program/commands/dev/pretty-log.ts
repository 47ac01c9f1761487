import { styleText } from 'node:util'

type LogLine = Record<string, unknown> & { level?: string; time?: string; message?: string }

/** Formats the service's JSON log for a terminal. */
export function prettyLog(stream: NodeJS.WriteStream): { write(line: string): void } {
  return {
    write(line) {
      const fields: LogLine = JSON.parse(line)
      stream.write(`${formatLine(fields, stream)}\n`)
    },
  }
}

function formatLine(fields: LogLine, stream: NodeJS.WriteStream): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { stream })
  const time = paint('dim', (fields.time ?? '').slice(11, 23))
  return `${time} ${fields.message === 'request' ? formatRequest(fields, paint) : formatEvent(fields, paint)}`
}

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

function formatRequest({ method, route, status, duration_ms, request_id }: LogLine, paint: Paint): string {
  const code = Number(status)
  const colour = code >= 500 ? 'red' : code >= 400 ? 'yellow' : 'green'
  // Only a refused request needs its id.
  const id = code >= 400 ? paint('dim', `  ${String(request_id)}`) : ''
  const duration = paint('dim', `${Number(duration_ms).toFixed(1)} ms`)
  return `${paint(colour, String(status))} ${String(method).padEnd(6)} ${String(route)}  ${duration}${id}`
}

const colours: Record<string, 'red' | 'yellow' | 'dim'> = { fatal: 'red', error: 'red', warn: 'yellow' }
const standardFields = new Set(['level', 'time', 'message'])

function formatEvent(fields: LogLine, paint: Paint): string {
  const details = Object.entries(fields)
    .filter(([name, value]) => !standardFields.has(name) && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const colour = colours[fields.level ?? ''] ?? 'dim'
  return [paint(colour, `${fields.level} ${fields.message}`), ...details].join('  ')
}
