import type { Limit, LimitGroup } from './limit.ts'

/** The tables of all limits as Markdown, one for each group. */
export function renderLimits(groups: readonly LimitGroup[]): string {
  return groups.map(renderGroup).join('\n')
}

function renderGroup({ title, limits }: LimitGroup): string {
  const rows = limits.map(
    (limit) =>
      `| ${limit.what} | ${renderValue(limit)} | ${limit.per} | ${limit.whenExceeded} | \`${limit.name}\` |\n`,
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
