import { types, type CustomTypesConfig } from 'pg'

const { builtins } = types

/**
 * How the driver parses values. Times stay text, because a JavaScript Date drops the microseconds that paging relies on;
 * they get the form in which they are published (GEN-2). Counters are numbers: none of ours comes near 2^53.
 */
const customParsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, isoTime],
  [builtins.DATE, (text) => text],
  [builtins.INT8, Number],
])

export const valueParsers: CustomTypesConfig = {
  getTypeParser(type, format) {
    return customParsers.get(type) ?? types.getTypeParser(type, format)
  },
}

/** `2026-01-15 12:00:00.5+00` becomes `2026-01-15T12:00:00.500000Z`. The connection's time zone is UTC. */
function isoTime(text: string): string {
  const [seconds = '', fraction = ''] = text.slice(0, -'+00'.length).split('.')
  return `${seconds.replace(' ', 'T')}.${fraction.padEnd(6, '0')}Z`
}
