import type { Limit, LimitGroup } from './limit.ts'

/** Renders the page as Markdown. */
export function renderLimits(groups: readonly LimitGroup[]): string {
  return `${preface}\n${groups.map(renderGroup).join('\n')}`
}

const preface = `# Limits

Every limit of the service: what it limits, what it applies to, and what happens when it is exceeded. \`npm run limits\` generates this page
from the constants in the code, and a test fails if they differ.

A process is one running \`serve\` or \`work\`; each process counts separately. Limits on requests per key, address and session
are configuration: see \`RATE_LIMITS\` in [configuration.md](../operate/configuration.md).
`

function renderGroup({ title, limits }: LimitGroup): string {
  const rows = limits.map(
    (limit) =>
      `| ${limit.what} | ${renderValue(limit)} | ${limit.per} | ${limit.whenExceeded} | [\`${limit.name}\`](../../${limit.file}) |\n`,
  )
  return `## ${title}\n\n| what | limit | per | when exceeded | constant |\n|---|---|---|---|---|\n${rows.join('')}`
}

const scales: Record<string, readonly (readonly [size: number, unit: string])[]> = {
  bytes: [
    [2 ** 20, 'MiB'],
    [1024, 'KiB'],
    [1, 'bytes'],
  ],
  ms: [
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
    [1, 'ms'],
  ],
  seconds: [
    [86_400, 'days'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ],
}

function renderValue({ value, unit }: Limit): string {
  const [size, shown] = scales[unit]?.find(([scale]) => value % scale === 0) ?? [1, unit]
  const amount = value / size
  return `${amount.toLocaleString('en-US')} ${amount === 1 ? shown.replace(/(?<=..)s$/, '') : shown}`
}
